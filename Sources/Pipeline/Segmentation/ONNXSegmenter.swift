import COpenCV
import FrameModel
import Kernels
import MattePipeline
import Networks
import Support

/// A segmentation network from an ONNX file, run by OpenCV on one thread.
///
/// The last bits of its floats may differ between processors and versions of OpenCV.
/// `KeptSegmenter` stores the 8-bit results, which makes replays exact.
package final class ONNXSegmenter: PersonSegmenter {
  package let maskSize: (width: Int, height: Int)
  package var answer: SegmentationAnswer { form.answer }
  /// Why the last frame without an answer failed; empty if none failed.
  package private(set) var failure = ""
  private let input: NetworkInput
  private let form: NetworkAnswer
  private let network: OpaquePointer
  private let openCV: OpenCVLibrary
  private let path: String

  /// - Throws: `.corrupt` if OpenCV cannot run it, `.unsupported` if its output is no mask or OpenCV is missing.
  package init(
    _ file: ONNXFile, _ settings: NetworkSettings, _ input: NetworkSettings.Input,
    trialLimitSeconds: UInt32 = modelTrialLimitSeconds
  ) throws(RetakeError) {
    path = file.path
    openCV = try OpenCVLibrary.load()
    let functions = openCV.functions
    let tensor = try settings.output(of: file)
    self.input = NetworkInput(input, settings)
    var shape = retake_cv_shape()
    let sides = self.input.shape
    shape.rank = Int32(sides.count)
    withUnsafeMutableBytes(of: &shape.sides) { bytes in
      for (i, side) in sides.enumerated() { bytes.bindMemory(to: Int32.self)[i] = Int32(side) }
    }
    var error = retake_cv_error()
    guard let opened = Self.open(file, settings, shape, trialLimitSeconds, functions, &error) else {
      throw Self.unusable(path, error, openCV)
    }
    network = opened
    var found = retake_cv_shape()
    guard functions.retake_network_run(network, &found, &error) != nil else {
      functions.retake_network_close(network)
      throw Self.unusable(path, error, openCV)
    }
    do throws(RetakeError) {
      form = try NetworkAnswer(
        shape: found.list, settings, layout: input.layout, tensor: tensor, path: path)
    } catch {
      functions.retake_network_close(network)
      throw error
    }
    maskSize = (form.width, form.height)
  }

  deinit { openCV.functions.retake_network_close(network) }

  private static func open(
    _ file: ONNXFile, _ settings: NetworkSettings, _ shape: retake_cv_shape, _ limit: UInt32,
    _ functions: retake_opencv, _ error: inout retake_cv_error
  ) -> OpaquePointer? {
    settings.inputName.withCString { inputName in
      settings.outputName.withCString { outputName in
        file.bytes.withUnsafeBytes { bytes in
          var question = retake_network_question(input: inputName, output: outputName, shape: shape)
          return functions.retake_network_open(bytes.baseAddress, bytes.count, &question, limit, &error)
        }
      }
    }
  }

  private static func unusable(_ path: String, _ error: retake_cv_error, _ openCV: OpenCVLibrary) -> RetakeError {
    var reason = error.message
    // OpenCV names the node that it does not support: "Node [Clip@ai.onnx]:(onnx_node!…) …".
    if let start = reason.firstRange(of: "Node ["),
      let end = reason[start.upperBound...].firstIndex(where: { "@]".contains($0) })
    {
      reason = "OpenCV does not support the form of its node \(reason[start.upperBound..<end])"
    }
    return RetakeError(
      .corrupt, "\(path) cannot be used as a network: \(reason).",
      hint:
        "networks are run by OpenCV \(openCV.version); exporting the model again with opset 11 often helps"
    )
  }

  package func segment(
    _ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    // Never nil, which C's types cannot say.
    guard let floats = openCV.functions.retake_network_input(network) else { return false }
    input.write(picture, to: floats)
    var error = retake_cv_error()
    var shape = retake_cv_shape()
    guard let values = openCV.functions.retake_network_run(network, &shape, &error) else {
      failure = error.message
      return false
    }
    guard form.isShape(shape.list) else {
      failure = "the shape of its output changed"
      return false
    }
    form.read(values, into: mask)
    return true
  }
}

extension retake_cv_shape {
  var list: [Int] {
    withUnsafeBytes(of: sides) { $0.bindMemory(to: Int32.self).prefix(Int(rank)).map(Int.init) }
  }
}
