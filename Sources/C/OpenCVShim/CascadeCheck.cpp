// OpenCV does not check the indices in a cascade file: features, nodes and leaves may be missing,
// and rectangles may lie outside the window.
#include "guarded.h"

#include <vector>

namespace {

struct Window {
  int width;
  int height;
};

/// The `count` numbers of a sequence; empty if it has another length.
std::vector<int> integers(const cv::FileNode &node, size_t count) {
  std::vector<int> numbers;
  if (!node.isSeq() || node.size() != count) return numbers;
  for (const cv::FileNode &item : node) numbers.push_back(static_cast<int>(item));
  return numbers;
}

/// Whether a grid of `columns` by `rows` such rectangles lies in the window.
bool is_inside(const std::vector<int> &r, const Window &window, int columns, int rows) {
  return r[0] >= 0 && r[1] >= 0 && r[2] >= 0 && r[3] >= 0 && r[2] <= window.width && r[3] <= window.height &&
         r[0] <= window.width - columns * r[2] && r[1] <= window.height - rows * r[3];
}

/// Rotated by 45 degrees: corners (x, y), (x - h, y + h), (x + w, y + w), (x + w - h, y + w + h).
bool is_inside_tilted(const std::vector<int> &r, const Window &window) {
  return is_inside(r, window, 1, 1) && r[0] - r[3] >= 0 && r[1] + r[2] + r[3] <= window.height;
}

bool is_haar_feature(const cv::FileNode &feature, const Window &window) {
  const cv::FileNode rectangles = feature["rects"];
  const bool is_tilted = static_cast<int>(feature["tilted"]) != 0;
  if (!rectangles.isSeq() || rectangles.size() < 1 || rectangles.size() > 3) return false;
  for (const cv::FileNode &rectangle : rectangles) {
    const std::vector<int> r = integers(rectangle, 5);
    if (r.empty() || !(is_tilted ? is_inside_tilted(r, window) : is_inside(r, window, 1, 1))) return false;
  }
  return true;
}

bool is_lbp_feature(const cv::FileNode &feature, const Window &window) {
  const std::vector<int> r = integers(feature["rect"], 4);
  return !r.empty() && is_inside(r, window, 3, 3);
}

/// A positive child is the index of a later node; any other is a negated leaf index.
bool is_child(int child, int node, int node_count) {
  return child > 0 ? child > node && child < node_count : child >= -node_count;
}

bool is_tree(const cv::FileNode &tree, size_t step, int feature_count) {
  const cv::FileNode nodes = tree["internalNodes"];
  const cv::FileNode leaves = tree["leafValues"];
  if (!nodes.isSeq() || !leaves.isSeq() || nodes.size() < step || nodes.size() % step != 0) return false;
  if (nodes.size() / step > 1 << 20 || leaves.size() != nodes.size() / step + 1) return false;
  const int node_count = static_cast<int>(nodes.size() / step);
  cv::FileNodeIterator item = nodes.begin();
  for (int node = 0; node < node_count; node++) {
    const int left = static_cast<int>(*item);
    const int right = static_cast<int>(*++item);
    const int feature = static_cast<int>(*++item);
    if (!is_child(left, node, node_count) || !is_child(right, node, node_count)) return false;
    if (feature < 0 || feature >= feature_count) return false;
    for (size_t i = 2; i < step; i++) ++item;
  }
  return true;
}

}  // namespace

const char *retake::flaw_of_cascade(const cv::FileNode &root) {
  if (!root.isMap() || !root["stages"].isSeq() || !root["features"].isSeq()) return "it does not contain a cascade";
  const Window window = {static_cast<int>(root["width"]), static_cast<int>(root["height"])};
  if (window.width < 4 || window.height < 4 || window.width > 512 || window.height > 512) {
    return "its window has an invalid size";
  }
  const std::string kind = root["featureType"].isString() ? static_cast<std::string>(root["featureType"]) : "";
  const bool is_lbp = kind == "LBP";
  if (!is_lbp && kind != "HAAR") return "its features are neither Haar nor LBP";
  // LBP nodes have eight words with a bit for each of 256 patterns; Haar nodes have a threshold.
  const int category_count = is_lbp ? 256 : 0;
  const size_t step = is_lbp ? 11 : 4;
  if (static_cast<int>(root["featureParams"]["maxCatCount"]) != category_count) return "its nodes have an unknown form";
  const cv::FileNode features = root["features"];
  if (features.size() > 1 << 20) return "it has too many features";
  for (const cv::FileNode &feature : features) {
    if (!feature.isMap() || !(is_lbp ? is_lbp_feature(feature, window) : is_haar_feature(feature, window))) {
      return "one of its features is outside its window";
    }
  }
  for (const cv::FileNode &stage : root["stages"]) {
    if (!stage.isMap() || !stage["weakClassifiers"].isSeq()) return "one of its stages has no trees";
    for (const cv::FileNode &tree : stage["weakClassifiers"]) {
      if (!tree.isMap() || !is_tree(tree, step, static_cast<int>(features.size()))) {
        return "one of its trees refers to a missing feature or node";
      }
    }
  }
  return nullptr;
}
