#include "COpenCV.h"
#include "guarded.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>
#include <opencv2/objdetect.hpp>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

struct retake_cascade {
  cv::CascadeClassifier classifier;
};

struct retake_yunet {
  cv::Ptr<cv::FaceDetectorYN> detector;
};

namespace {

/// Replaces OpenCV's error handler, which would print what the thrown exception already reports.
int say_nothing(int, const char *, const char *, const char *, int, void *) { return 0; }

}  // namespace

void retake::prepare() {
  static std::once_flag once;
  std::call_once(once, [] {
    cv::setNumThreads(1);
    cv::ocl::setUseOpenCL(false);
    cv::redirectError(say_nothing);
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  });
}

namespace {

/// Read-locked by the shim's calls, write-locked to fork. Writers go first, because detectors that
/// run all the time would otherwise starve the fork.
pthread_rwlock_t at_work = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

}  // namespace

retake::AtWork::AtWork() { pthread_rwlock_rdlock(&at_work); }

retake::AtWork::~AtWork() { pthread_rwlock_unlock(&at_work); }

pid_t retake::fork_at_rest() {
  pthread_rwlock_wrlock(&at_work);
  const pid_t child = fork();
  const int reason = errno;
  if (child == 0) {
    // The child inherits the lock in its locked state, so it starts with a fresh one.
    at_work = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
  } else {
    pthread_rwlock_unlock(&at_work);
  }
  errno = reason;
  return child;
}

void retake::note(retake_cv_error *error, const char *text) {
  if (error == nullptr) return;
  std::snprintf(error->text, sizeof error->text, "%s", text);
  for (char *c = error->text; *c != 0; c++) {
    if (static_cast<unsigned char>(*c) < 32) *c = ' ';
  }
}

using retake::guarded;
using retake::note;

namespace {

/// Checks all indices of a cascade, then loads it.
retake_cascade *open_cascade(const void *file, size_t byte_count, retake_cv_error *error) {
  const cv::FileStorage storage(
      std::string(static_cast<const char *>(file), byte_count), cv::FileStorage::READ | cv::FileStorage::MEMORY);
  const cv::FileNode root = storage.getFirstTopLevelNode();
  if (const char *flaw = retake::flaw_of_cascade(root)) {
    note(error, flaw);
    return nullptr;
  }
  cv::Ptr<retake_cascade> cascade = cv::makePtr<retake_cascade>();
  if (!cascade->classifier.read(root) || cascade->classifier.empty()) {
    note(error, "it does not contain a cascade");
    return nullptr;
  }
  return new retake_cascade(*cascade);
}

/// Runs the cascade once on a synthetic picture, as a trial.
void search_once(retake_cascade *cascade) {
  const cv::Size window = cascade->classifier.getOriginalWindowSize();
  cv::Mat picture(2 * window.height, 2 * window.width, CV_8UC1);
  for (int y = 0; y < picture.rows; y++) {
    for (int x = 0; x < picture.cols; x++) picture.at<uint8_t>(y, x) = static_cast<uint8_t>((x * y) & 255);
  }
  std::vector<cv::Rect> found;
  cascade->classifier.detectMultiScale(picture, found, 1.2, 3, 0, window, cv::Size());
}

cv::Mat view(const retake_cv_picture *picture, int type) {
  // cv::Mat has no read-only view; nothing here writes.
  return cv::Mat(
      picture->height, picture->width, type, const_cast<uint8_t *>(picture->samples), picture->bytes_per_row);
}

}  // namespace

const char *retake_cv_version(void) {
  static const std::string version = cv::getVersionString();
  return version.c_str();
}

retake_cascade *retake_cascade_open(
    const void *file, size_t byte_count, uint32_t limit_seconds, retake_cv_error *error) {
  const bool works = limit_seconds == 0 || retake::works_apart(limit_seconds, error, [&](retake_cv_error *reason) {
    retake_cascade *cascade = open_cascade(file, byte_count, reason);
    if (cascade == nullptr) return false;
    search_once(cascade);
    return true;
  });
  if (!works) return nullptr;
  return guarded(error, static_cast<retake_cascade *>(nullptr), [&] {
    return open_cascade(file, byte_count, error);
  });
}

void retake_cascade_close(retake_cascade *cascade) {
  const retake::AtWork at_work;
  delete cascade;
}

int32_t retake_cascade_window(const retake_cascade *cascade) {
  return guarded(nullptr, 0, [&] { return cascade->classifier.getOriginalWindowSize().width; });
}

int32_t retake_cascade_find(
    retake_cascade *cascade, const retake_cv_picture *grey, const retake_cascade_search *search, retake_cv_box *boxes,
    int32_t limit, retake_cv_error *error) {
  return guarded(error, -1, [&]() -> int32_t {
    std::vector<cv::Rect> found;
    std::vector<int> neighbors;
    const cv::Size largest = search->largest > 0 ? cv::Size(search->largest, search->largest) : cv::Size();
    cascade->classifier.detectMultiScale(
        view(grey, CV_8UC1), found, neighbors, search->scale, search->neighbors, 0,
        cv::Size(search->smallest, search->smallest), largest);
    const int32_t count = static_cast<int32_t>(std::min<size_t>(found.size(), static_cast<size_t>(limit)));
    for (int32_t i = 0; i < count; i++) {
      const cv::Rect &box = found[static_cast<size_t>(i)];
      const int votes = static_cast<size_t>(i) < neighbors.size() ? neighbors[static_cast<size_t>(i)] : 0;
      boxes[i] = retake_cv_box{box.x, box.y, box.width, box.height, votes};
    }
    return count;
  });
}

int32_t retake_cascade_group(retake_cv_box *boxes, int32_t count, int32_t neighbors, retake_cv_error *error) {
  return guarded(error, -1, [&]() -> int32_t {
    std::vector<cv::Rect> rectangles;
    for (int32_t i = 0; i < count; i++) {
      rectangles.emplace_back(boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height);
    }
    std::vector<int> votes;
    // The tolerance of detectMultiScale.
    cv::groupRectangles(rectangles, votes, neighbors, 0.2);
    const int32_t groups = static_cast<int32_t>(rectangles.size());
    for (int32_t i = 0; i < groups && i < count; i++) {
      const cv::Rect &box = rectangles[static_cast<size_t>(i)];
      boxes[i] = retake_cv_box{box.x, box.y, box.width, box.height, votes[static_cast<size_t>(i)]};
    }
    return std::min(groups, count);
  });
}

namespace {

/// Whether the network's three outputs have as many rows as the picture has anchors. OpenCV's YuNet
/// reads that many without checking.
bool answers_like_yunet(const void *file, size_t byte_count, int32_t width, int32_t height) {
  size_t anchors = 0;
  const int anchors_of_stride[] = {3, 2, 2, 3};
  int columns = width / 4;
  int rows = height / 4;
  for (int anchor_count : anchors_of_stride) {
    columns /= 2;
    rows /= 2;
    anchors += static_cast<size_t>(columns) * static_cast<size_t>(rows) * static_cast<size_t>(anchor_count);
  }
  cv::dnn::Net network = cv::dnn::readNetFromONNX(static_cast<const char *>(file), byte_count);
  const int sizes[] = {1, 3, height, width};
  network.setInput(cv::Mat(4, sizes, CV_32F, cv::Scalar(0)));
  std::vector<cv::Mat> answers;
  network.forward(answers, std::vector<cv::String>{"loc", "conf", "iou"});
  const size_t columns_of_answer[] = {14, 2, 1};
  if (answers.size() != 3) return false;
  for (size_t i = 0; i < 3; i++) {
    if (answers[i].type() != CV_32FC1 || !answers[i].isContinuous()) return false;
    if (answers[i].total() != anchors * columns_of_answer[i]) return false;
  }
  return true;
}

/// An in-memory file that OpenCV can open by path: FaceDetectorYN of OpenCV 4.6
/// cannot load a model from memory.
class MemoryFile {
 public:
  MemoryFile(const void *file, size_t byte_count) : descriptor(memfd_create("model", MFD_CLOEXEC)) {
    const char *bytes = static_cast<const char *>(file);
    size_t done = 0;
    while (descriptor >= 0 && done < byte_count) {
      const ssize_t n = write(descriptor, bytes + done, byte_count - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      done += static_cast<size_t>(n);
    }
    if (done < byte_count) {
      if (descriptor >= 0) close(descriptor);
      throw std::runtime_error("there is not enough memory for it");
    }
  }
  ~MemoryFile() { close(descriptor); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  /// OpenCV takes the format from the suffix; the kernel stops reading the path at the zero byte.
  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor) + std::string(1, 0) + ".onnx";
  }

 private:
  const int descriptor;
};

retake_yunet *open_yunet(
    const void *file, size_t byte_count, int32_t width, int32_t height, float smallest_score,
    retake_cv_error *error) {
  if (width % 32 != 0 || height % 32 != 0 || !answers_like_yunet(file, byte_count, width, height)) {
    note(error, "its output is not that of YuNet");
    return nullptr;
  }
  const float overlap = 0.3f;
  const int kept = 500;
  const MemoryFile model(file, byte_count);
  cv::Ptr<cv::FaceDetectorYN> detector =
      cv::FaceDetectorYN::create(model.path(), "", cv::Size(width, height), smallest_score, overlap, kept);
  if (detector.empty()) {
    note(error, "it does not contain a network");
    return nullptr;
  }
  return new retake_yunet{detector};
}

}  // namespace

retake_yunet *retake_yunet_open(
    const void *file, size_t byte_count, int32_t width, int32_t height, float smallest_score, uint32_t limit_seconds,
    retake_cv_error *error) {
  const bool works = retake::works_apart(limit_seconds, error, [&](retake_cv_error *reason) {
    retake_yunet *network = open_yunet(file, byte_count, width, height, smallest_score, reason);
    if (network == nullptr) return false;
    cv::Mat found;
    network->detector->detect(cv::Mat(height, width, CV_8UC3, cv::Scalar(0)), found);
    return true;
  });
  if (!works) return nullptr;
  return guarded(error, static_cast<retake_yunet *>(nullptr), [&] {
    return open_yunet(file, byte_count, width, height, smallest_score, error);
  });
}

void retake_yunet_close(retake_yunet *network) {
  const retake::AtWork at_work;
  delete network;
}

int32_t retake_yunet_find(
    retake_yunet *network, const retake_cv_picture *bgr, retake_cv_face *faces, int32_t limit,
    retake_cv_error *error) {
  return guarded(error, -1, [&]() -> int32_t {
    cv::Mat found;
    network->detector->detect(view(bgr, CV_8UC3), found);
    if (found.empty()) return 0;
    // Columns: x, y, width, height, five points (right eye, left eye, nose, mouth), score.
    if (found.type() != CV_32FC1 || found.cols < 15) {
      note(error, "the network's output is not that of YuNet");
      return -1;
    }
    const int32_t count = std::min(found.rows, limit);
    for (int32_t i = 0; i < count; i++) {
      const float *row = found.ptr<float>(i);
      faces[i] = retake_cv_face{row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[14]};
    }
    return count;
  });
}
