// A residual convolutional net in the architecture that taiji.training exports, evaluated in the core.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiled_game.hpp"
#include "puct.hpp"
#include "winograd.hpp"

namespace taiji {

struct Tensor {
    std::vector<int> shape;
    std::vector<float> values;
};

class ConvNet {
public:
    // Throws std::invalid_argument if the tensors do not form such a net. `int16`: use int16 products if the backend
    // has a fast path for them; `backend`: its name, or empty for the fastest.
    ConvNet(const std::map<std::string, Tensor> &tensors, int height, int width, bool int16 = true,
            const std::string &backend = {});

    // Scratch buffers and outputs of one thread.
    struct Workspace {
        AlignedVector<float> stream, inner, other, input_tiles, output_tiles, row, tile, scales;
        AlignedVector<int16_t> int16_tiles;
        std::vector<float> policy, swap, value, margin;
    };
    // Evaluates a batch of encoded positions; the output points into the workspace.
    NetOutput evaluate(Workspace &workspace, const float *planes, const float *globals, int count) const;

    int planes() const { return planes_; }
    int globals() const { return globals_; }
    int policies() const { return policies_; }
    bool swap() const { return swap_.out > 0; }
    int tile() const { return tile_; }
    int cells() const { return height_ * width_; }

private:
    // A dense layer; the width is padded to a multiple of eight.
    struct Dense {
        int in = 0, out = 0, padded = 0;
        AlignedVector<float> panels, bias;
    };
    struct Conv {
        int in = 0, out = 0;
        AlignedVector<float> filters, bias;
        AlignedVector<int16_t> int16;  // quantised filters; empty if unused
        AlignedVector<float> scales;   // of the quantised filters
    };
    struct Block {
        Conv one, two;
        Dense pool;  // empty if the block has no global pooling
    };

    const Tensor &find(const std::map<std::string, Tensor> &tensors, const std::string &name, size_t axes) const;
    Dense dense(const std::map<std::string, Tensor> &tensors, const std::string &name, int in) const;
    Dense pointwise(const std::map<std::string, Tensor> &tensors, const std::string &name, int in) const;
    Conv conv(const std::map<std::string, Tensor> &tensors, const std::string &name, int in) const;
    void quantise(Conv &layer) const;
    void run(const Conv &layer, const Boards &boards, const float *input, bool relu, float *output, bool add,
             Workspace &workspace) const;
    void run(const Dense &layer, const float *input, int rows, int stride, float *output) const;
    // Writes the mean over the cells of a board, then the maximum.
    static void pool(const float *cells, int count, int channels, float *out);

    const SimdBackend &backend_;
    int height_, width_, tile_;
    bool int16_;
    int planes_ = 0, globals_ = 0, channels_ = 0, policies_ = 0;
    Conv stem_;
    Dense stem_globals_, policy_conv_, policy_pool_, policy_, swap_, value_conv_, value_hidden_, value_, margin_;
    std::vector<Block> blocks_;
};

}  // namespace taiji
