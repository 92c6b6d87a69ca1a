// Where planes lie over the video, and where the video lies in a tile. All tiles share one zoom.

const LARGEST_SCALE = 64;

/// The plane's rectangle in pixels of the video. Depth and its masks have one ratio for both directions, and their centres
/// coincide with the video's; a network's masks are stretched.
export function planeRectangle(plane, video, depthPlane, scaleBy) {
  const isSized = depthPlane?.width === plane.width && depthPlane?.height === plane.height;
  const isOfDepth = plane.tap === "depth" || (plane.tap === "mask" && isSized);
  if (!isOfDepth) return { x: 0, y: 0, width: video.width, height: video.height };
  const ratio = scaleBy === "longer-side"
    ? Math.max(video.width, video.height) / Math.max(plane.width, plane.height) : video.width / plane.width;
  const [width, height] = [plane.width * ratio, plane.height * ratio];
  return { x: (video.width - width) / 2, y: (video.height - height) / 2, width, height };
}

/// Screen pixels of a box from video pixels: `scale`, then `x` and `y`.
export function transform(box, video, zoom) {
  const fit = Math.min(box.width / video.width, box.height / video.height);
  const scale = fit * zoom.factor;
  return { scale, x: box.x + box.width / 2 - zoom.x * video.width * scale, y: box.y + box.height / 2 - zoom.y * video.height * scale };
}

export const NO_ZOOM = Object.freeze({ factor: 1, x: 0.5, y: 0.5 });

function limited(zoom) {
  const factor = Math.min(LARGEST_SCALE, Math.max(1, zoom.factor));
  const margin = 0.5 / factor;
  const clamp = value => Math.min(1 - margin, Math.max(margin, value));
  return factor === 1 ? NO_ZOOM : { factor, x: clamp(zoom.x), y: clamp(zoom.y) };
}

/// Zooms so that the point at (u, v), shares of the video's size, stays where it is.
export function zoomed(zoom, ratio, u = zoom.x, v = zoom.y) {
  const factor = Math.min(LARGEST_SCALE, Math.max(1, zoom.factor * ratio));
  const change = zoom.factor / factor;
  return limited({ factor, x: u + (zoom.x - u) * change, y: v + (zoom.y - v) * change });
}

export function panned(zoom, u, v) {
  return limited({ ...zoom, x: zoom.x + u, y: zoom.y + v });
}
