// Convolutions and matrix products, with an implementation per instruction set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace taiji {

struct Boards {
    int count, height, width;
    int cells() const { return height * width; }
};

constexpr int kMaxChannels = 1024;

// A 3×3 convolution with filters transformed for tiles of 3 or 4 cells. Channels are multiples of eight.
struct Convolution {
    int tile, in, out;
    const float *filters;  // by frequency, then in panels as for `matmul`
    const float *bias;
};

// The maximum quantised input, and the maximum sum of a column of quantised filters: int32 sums cannot overflow.
constexpr int kMaxInt16Input = 16383;
constexpr int kMaxInt16FilterSum = INT32_MAX / kMaxInt16Input;

// The same with int16 products. Inputs and outputs are multiples of 16.
struct Int16Convolution {
    int tile, in, out;
    const int16_t *filters;  // by frequency, then in panels of 16 columns, two rows interleaved
    const float *scales;     // by frequency and column
    const float *bias;
};

// Scratch buffers of an int16 convolution, by frequency and tile; `tile` holds one tile only.
struct Int16Workspace {
    float *tile;
    int16_t *input_tiles;
    float *scales, *output_tiles;
};

struct SimdBackend {
    // c = bias + a · panels, for `rows` rows. A panel holds 32 columns (16 or 8 at the end), row by row.
    void (*matmul)(const float *a, int stride, int rows, const float *panels, int depth, int width, const float *bias,
                   float *c, int c_stride);
    // Convolves the input, after a ReLU if `relu`, and writes to the output or adds to it. Both tile buffers hold
    // (tile + 2)² · tiles · channels floats.
    void (*convolve)(const Convolution &layer, const Boards &boards, const float *input, bool relu, float *output,
                     bool add, float *input_tiles, float *output_tiles);
    // The same with int16 products; null if there is no fast path.
    void (*convolve_int16)(const Int16Convolution &layer, const Boards &boards, const float *input, bool relu,
                           float *output, bool add, Int16Workspace workspace);
    const char *name;
};

// Returns the backends that this processor can run, the fastest first. TAIJI_CPU_LEVEL sets a lower level.
std::vector<const SimdBackend *> simd_backends();

// Returns the backend with this name, the fastest if it is empty. Throws std::invalid_argument if there is none.
const SimdBackend &simd_backend(const std::string &name = {});

// Returns the offset of a column of row k in panels of this width and depth.
size_t panel_offset(int k, int column, int depth, int width);

namespace portable {
extern const SimdBackend backend;
}
namespace avx2 {
extern const SimdBackend backend;
}
namespace avx512 {
extern const SimdBackend backend;
}
namespace simd128 {
extern const SimdBackend backend;
}

}  // namespace taiji
