"""Frames as what most programs want: RGB and millimetres."""

import numpy as np

from .reader import RecordingError

# OpenCV names a mosaic by its second row and column.
_MOSAICS = {"RGGB8": "BayerBG", "GRBG8": "BayerGB", "GBRG8": "BayerGR", "BGGR8": "BayerRG"}


def _opencv(frame):
    try:
        import cv2
    except ImportError:
        raise RecordingError(
            f"Frames of {frame.stream.format} become RGB through OpenCV: apt install python3-opencv, "
            "or pip install opencv-python-headless."
        ) from None
    return cv2


def rgb(frame):
    """A frame of colour or light as (height, width, 3) of uint8. RGB24 and grey are exact; other formats are converted by
    OpenCV, whose rounding is not Retake's. Raises DamagedFrame, and RecordingError for depth."""
    stream, array = frame.stream, frame.array
    if stream.format == "RGB24":
        return array
    if stream.format == "GREY":
        return np.repeat(array[..., None], 3, axis=2)
    if stream.format == "JPEG":
        cv2 = _opencv(frame)
        picture = cv2.imdecode(array, cv2.IMREAD_COLOR)
        if picture is None:
            raise RecordingError(f"Frame {frame.number} of stream '{stream.name}' is not a readable JPEG.")
        return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)
    if stream.format == "YUYV":
        cv2 = _opencv(frame)
        return cv2.cvtColor(array, cv2.COLOR_YUV2RGB_YUYV)[:, : stream.width]
    if stream.format == "NV12":
        cv2 = _opencv(frame)
        if stream.height % 2:
            raise RecordingError(f"Stream '{stream.name}' is NV12 of an odd height, which OpenCV cannot convert.")
        return cv2.cvtColor(array, cv2.COLOR_YUV2RGB_NV12)[:, : stream.width]
    if stream.format in _MOSAICS:
        cv2 = _opencv(frame)
        return cv2.cvtColor(array, getattr(cv2, f"COLOR_{_MOSAICS[stream.format]}2RGB"))
    raise RecordingError(f"Stream '{stream.name}' has {stream.format}, which is no picture in colour.")


def millimeters(frame):
    """A depth frame as (height, width) of uint16 in millimetres, 0 = none, as the depth camera saw it: not registered.
    Raises RecordingError for a Kinect's raw depth, which needs the device's calibration: 'retake export png' has it."""
    stream, array = frame.stream, frame.array
    if stream.format == "Z16":
        return array
    if stream.format == "Y16" and stream.kind == "depth":
        try:
            unit = int(stream.settings["depth-unit-micrometers"])
        except (KeyError, ValueError):
            raise RecordingError(f"Stream '{stream.name}' does not give its depth unit.") from None
        return np.minimum((array.astype(np.int64) * unit + 500) // 1000, 65_535).astype(np.uint16)
    if stream.format == "DISPARITY32":
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = np.float32(1000) / array
        distance = np.where(array <= 0, np.float32(65_535), distance)
        distance = np.clip(np.rint(distance), 1, 65_535)
        return np.where(np.isnan(array), 0, distance).astype(np.uint16)
    raise RecordingError(
        f"Stream '{stream.name}' has {stream.format}: 'retake export png' converts it to millimetres."
    )
