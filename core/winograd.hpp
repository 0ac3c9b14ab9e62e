// The arithmetic of a convolutional net, in the version that suits this processor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace taiji {

struct Boards {
    int count, height, width;
    int cells() const { return height * width; }
};

constexpr int kMostChannels = 1024;

// A convolution of 3×3 whose filters were transformed for tiles of 3 or 4 cells. Channels are multiples of eight.
struct Convolution {
    int tile, in, out;
    const float *filters;  // by frequency, then in panels as `product` takes them
    const float *bias;
};

// The largest whole numbers that stand for filters and for inputs: no sum of 32 bits overflows.
constexpr int kFixedFilter = 4095;
constexpr int fixed_input(int channels) { return std::min(INT16_MAX, INT32_MAX / (kFixedFilter * channels)); }

// The same in whole numbers. Inputs and outputs are multiples of 16.
struct FixedConvolution {
    int tile, in, out;
    const int16_t *filters;  // by frequency, then in panels of 16 columns, two rows side by side
    const float *scales;     // of each column, by frequency
    const float *bias;
};

// Room for the work on a convolution in whole numbers; by frequency and tile, but `tile` for one tile alone.
struct FixedRoom {
    float *tile;
    int16_t *seen;
    float *scales, *made;
};

struct Arithmetic {
    // c = bias + a · panels, `rows` rows. A panel holds 32 columns (16 or 8 at the end), row by row.
    void (*product)(const float *a, int stride, int rows, const float *panels, int depth, int width, const float *bias,
                    float *c, int c_stride);
    // The rectified input, or the input as it is, convolved; put into the output or added to it. `seen` and `made` are
    // room for (tile + 2)² times the tiles times the channels.
    void (*convolve)(const Convolution &layer, const Boards &boards, const float *input, bool rectify, float *output,
                     bool add, float *seen, float *made);
    // The same in whole numbers, or null where that is no quicker.
    void (*convolve_fixed)(const FixedConvolution &layer, const Boards &boards, const float *input, bool rectify,
                           float *output, bool add, FixedRoom room);
    const char *name;
};

const Arithmetic &arithmetic();

// Where the i-th column of the k-th row lies in panels of this width and depth.
size_t panel_place(int k, int column, int depth, int width);

namespace plain {
extern const Arithmetic version;
}
namespace wide {
extern const Arithmetic version;
}

}  // namespace taiji
