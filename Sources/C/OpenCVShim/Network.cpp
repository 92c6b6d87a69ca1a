// ONNX networks, on one thread: splitting sums among threads would change their last bits.
#include "COpenCV.h"
#include "guarded.h"

#include <string>

#include <opencv2/dnn.hpp>

struct retake_network {
  cv::dnn::Net net;
  cv::Mat input;
  cv::Mat answer;
  std::string input_name;
  std::string output_name;
};

namespace {

retake_network *open_network(const void *file, size_t byte_count, const retake_network_question *question) {
  cv::Ptr<retake_network> network = cv::makePtr<retake_network>();
  network->net = cv::dnn::readNetFromONNX(static_cast<const char *>(file), byte_count);
  network->net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  network->net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
  network->input_name = question->input;
  network->output_name = question->output;
  network->input = cv::Mat(question->shape.rank, question->shape.sides, CV_32F, cv::Scalar(0));
  return new retake_network(*network);
}

const float *run(retake_network *network, retake_cv_shape *shape, retake_cv_error *error) {
  network->net.setInput(network->input, network->input_name);
  network->answer = network->net.forward(network->output_name);
  const cv::Mat &answer = network->answer;
  if (answer.type() != CV_32FC1 || answer.empty() || !answer.isContinuous() || answer.dims > 8) {
    retake::note(error, "its output is not a tensor of floats");
    return nullptr;
  }
  shape->rank = answer.dims;
  for (int i = 0; i < answer.dims; i++) shape->sides[i] = answer.size[i];
  return answer.ptr<float>();
}

}  // namespace

retake_network *retake_network_open(
    const void *file, size_t byte_count, const retake_network_question *question, uint32_t limit_seconds,
    retake_cv_error *error) {
  const bool works = retake::works_apart(limit_seconds, error, [&](retake_cv_error *reason) {
    retake_cv_shape shape;
    return run(open_network(file, byte_count, question), &shape, reason) != nullptr;
  });
  if (!works) return nullptr;
  return retake::guarded(error, static_cast<retake_network *>(nullptr), [&] {
    return open_network(file, byte_count, question);
  });
}

void retake_network_close(retake_network *network) {
  const retake::AtWork at_work;
  delete network;
}

float *retake_network_input(retake_network *network) { return network->input.ptr<float>(); }

const float *retake_network_run(retake_network *network, retake_cv_shape *shape, retake_cv_error *error) {
  return retake::guarded(error, static_cast<const float *>(nullptr), [&] { return run(network, shape, error); });
}
