// Masking in OpenCV on one thread: threshold, Gaussian blur, gamma, cubic scaling, blend.
//   opencv-chain DEPTH WIDTH HEIGHT CUTOFF VIDEO-WIDTH VIDEO-HEIGHT MATTE
// DEPTH holds frames of 16-bit millimetres. The first three output lines describe three chains:
//   OpenCV's function for each step; for the blend, which it lacks for RGB, the fastest of several
//   the fastest known way for each step
//   the same, with the blend in OpenCV's intrinsics
// For each line on standard input, all chains process all frames and one line with their times is
// written, CPU ms per frame. MATTE receives the first chain's matte of the last frame.
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>

namespace {

const double sigma = 5;

double cpuMilliseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

struct Chain {
  cv::Mat depth, mask, near, blurred, soft, matte, matte3, rest3, front, back;
  cv::Mat video, background, composite;
  cv::Mat gamma = cv::Mat(1, 256, CV_8U);
  cv::Mat kernel;
  cv::Size size;
  int cutoff = 0;
};

using Step = std::function<void(Chain &)>;

struct Way {
  const char *name;
  Step step;
};

struct Contender {
  Way threshold, blur, blend;

  void run(Chain &chain) const;
};

uchar blended(uchar m, uchar a, uchar b) {
  unsigned sum = m * a + (255 - m) * b + 128;
  return (uchar)((sum + (sum >> 8)) >> 8);
}

const std::vector<Way> thresholds = {
    {"inRange", [](Chain &c) { cv::inRange(c.depth, 1, c.cutoff, c.mask); }},
    {"compare twice",
     [](Chain &c) {
       cv::compare(c.depth, c.cutoff, c.mask, cv::CMP_LE);
       cv::compare(c.depth, 0, c.near, cv::CMP_GT);
       cv::bitwise_and(c.mask, c.near, c.mask);
     }},
};

const std::vector<Way> blurs = {
    {"GaussianBlur",
     [](Chain &c) { cv::GaussianBlur(c.mask, c.blurred, cv::Size(), sigma, sigma, cv::BORDER_REPLICATE); }},
    {"sepFilter2D",
     [](Chain &c) {
       cv::sepFilter2D(
           c.mask, c.blurred, CV_8U, c.kernel, c.kernel, cv::Point(-1, -1), 0, cv::BORDER_REPLICATE);
     }},
};

void gammaAndScale(Chain &c) {
  cv::LUT(c.blurred, c.gamma, c.soft);
  if (c.soft.size() == c.size) {
    c.matte = c.soft;
  } else {
    cv::resize(c.soft, c.matte, c.size, 0, 0, cv::INTER_CUBIC);
  }
}

const std::vector<Way> blends = {
    {"multiply and add",
     [](Chain &c) {
       cv::cvtColor(c.matte, c.matte3, cv::COLOR_GRAY2BGR);
       cv::bitwise_not(c.matte3, c.rest3);
       cv::multiply(c.video, c.matte3, c.front, 1 / 255.0);
       cv::multiply(c.background, c.rest3, c.back, 1 / 255.0);
       cv::add(c.front, c.back, c.composite);
     }},
    {"blendLinear",
     [](Chain &c) {
       c.matte.convertTo(c.front, CV_32F, 1 / 255.0);
       cv::subtract(1.0, c.front, c.back);
       cv::blendLinear(c.video, c.background, c.front, c.back, c.composite);
     }},
    {"a loop",
     [](Chain &c) {
       for (int y = 0; y < c.matte.rows; y++) {
         const uchar *m = c.matte.ptr(y), *a = c.video.ptr(y), *b = c.background.ptr(y);
         uchar *out = c.composite.ptr(y);
         for (int x = 0; x < c.matte.cols; x++) {
           for (int k = 3 * x; k < 3 * x + 3; k++) out[k] = blended(m[x], a[k], b[k]);
         }
       }
     }},
};

void Contender::run(Chain &chain) const {
  threshold.step(chain);
  blur.step(chain);
  gammaAndScale(chain);
  blend.step(chain);
}

void blendWithIntrinsics(Chain &c) {
  using namespace cv;
  const v_uint16x8 half = v_setall_u16(128);
  for (int y = 0; y < c.matte.rows; y++) {
    const uchar *m = c.matte.ptr(y), *a = c.video.ptr(y), *b = c.background.ptr(y);
    uchar *out = c.composite.ptr(y);
    int x = 0;
    for (; x + 16 <= c.matte.cols; x += 16) {
      v_uint8x16 weight = v_load(m + x), rest = v_setall_u8(255) - weight, as[3], bs[3], outs[3];
      v_load_deinterleave(a + 3 * x, as[0], as[1], as[2]);
      v_load_deinterleave(b + 3 * x, bs[0], bs[1], bs[2]);
      for (int k = 0; k < 3; k++) {
        v_uint16x8 aLow, aHigh, bLow, bHigh;
        v_mul_expand(as[k], weight, aLow, aHigh);
        v_mul_expand(bs[k], rest, bLow, bHigh);
        v_uint16x8 low = aLow + bLow + half, high = aHigh + bHigh + half;
        outs[k] = v_pack((low + (low >> 8)) >> 8, (high + (high >> 8)) >> 8);
      }
      v_store_interleave(out + 3 * x, outs[0], outs[1], outs[2]);
    }
    for (; x < c.matte.cols; x++) {
      for (int k = 3 * x; k < 3 * x + 3; k++) out[k] = blended(m[x], a[k], b[k]);
    }
  }
}

/// The fastest way, by the least time of ten alternating runs.
Way fastest(const std::vector<Way> &ways, Chain &chain) {
  std::vector<double> best(ways.size(), 1e9);
  for (int round = 0; round < 10; round++) {
    for (size_t i = 0; i < ways.size(); i++) {
      double start = cpuMilliseconds();
      ways[i].step(chain);
      best[i] = std::min(best[i], cpuMilliseconds() - start);
    }
  }
  return ways[std::min_element(best.begin(), best.end()) - best.begin()];
}

}  // namespace

int main(int count, char **words) {
  if (count != 8) {
    fprintf(stderr, "opencv-chain DEPTH WIDTH HEIGHT CUTOFF VIDEO-WIDTH VIDEO-HEIGHT MATTE\n");
    return 64;
  }
  cv::setNumThreads(1);
  int width = atoi(words[2]), height = atoi(words[3]);
  std::vector<cv::Mat> frames;
  FILE *file = fopen(words[1], "rb");
  if (!file) return 1;
  for (;;) {
    cv::Mat frame(height, width, CV_16U);
    if (fread(frame.data, 2, frame.total(), file) != frame.total()) break;
    frames.push_back(frame);
  }
  fclose(file);
  if (frames.empty()) return 1;

  Chain chain;
  chain.cutoff = atoi(words[4]);
  chain.size = cv::Size(atoi(words[5]), atoi(words[6]));
  // The kernel size that GaussianBlur uses for 8-bit pictures.
  chain.kernel = cv::getGaussianKernel(cvRound(sigma * 6 + 1) | 1, sigma, CV_32F);
  for (int i = 0; i < 256; i++) chain.gamma.at<uchar>(i) = cv::saturate_cast<uchar>(std::sqrt(i / 255.0) * 255);
  chain.video.create(chain.size, CV_8UC3);
  chain.background.create(chain.size, CV_8UC3);
  chain.composite.create(chain.size, CV_8UC3);
  cv::randu(chain.video, 0, 256);
  cv::randu(chain.background, 0, 256);

  chain.depth = frames[0];
  Way threshold = fastest(thresholds, chain), blur = fastest(blurs, chain);
  gammaAndScale(chain);
  Way blend = fastest(blends, chain);
  const Contender contenders[] = {
      {thresholds[0], blurs[0], blend},
      {threshold, blur, blend},
      {threshold, blur, {"a loop of intrinsics", blendWithIntrinsics}},
  };
  for (const Contender &contender : contenders) {
    std::cout << contender.threshold.name << ", " << contender.blur.name << ", LUT, resize, " << contender.blend.name
              << std::endl;
  }

  std::string line;
  while (std::getline(std::cin, line)) {
    for (const Contender &contender : contenders) {
      double start = cpuMilliseconds();
      for (const cv::Mat &frame : frames) {
        chain.depth = frame;
        contender.run(chain);
      }
      std::cout << (cpuMilliseconds() - start) / frames.size() << " ";
    }
    std::cout << std::endl;
  }
  chain.depth = frames.back();
  contenders[0].run(chain);
  FILE *result = fopen(words[7], "wb");
  bool isWritten = result && fwrite(chain.matte.data, 1, chain.matte.total(), result) == chain.matte.total();
  return isWritten && fclose(result) == 0 ? 0 : 1;
}
