// A residual convolutional net of the shape that taiji.training exports, run in the core.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "puct.hpp"
#include "tables.hpp"
#include "winograd.hpp"

namespace taiji {

struct Tensor {
    std::vector<int> shape;
    std::vector<float> values;
};

class ConvNet {
public:
    // Throws std::invalid_argument, in a sentence, where the tensors do not form such a net. `fixed`: in whole numbers
    // where that is quicker.
    ConvNet(const std::map<std::string, Tensor> &tensors, int height, int width, bool fixed = true);

    // What a thread needs while it judges; and what the net has said.
    struct Desk {
        LineVector<float> stream, inner, other, seen, made, row, tile, scales;
        LineVector<int16_t> fixed;
        std::vector<float> said_policy, said_swap, said_value, said_margin;
    };
    // Judges positions that are laid out as the net's inputs are.
    NetSays judge(Desk &desk, const float *planes, const float *numbers, int count) const;

    int planes() const { return planes_; }
    int globals() const { return globals_; }
    int policies() const { return policies_; }
    bool swap() const { return swap_.out > 0; }
    int tile() const { return tile_; }
    int cells() const { return height_ * width_; }

private:
    static constexpr int kMargins = 61;

    // A product with a matrix; widths are padded to multiples of eight.
    struct Dense {
        int in = 0, out = 0, padded = 0;
        LineVector<float> panels, bias;
    };
    struct Conv {
        int in = 0, out = 0;
        LineVector<float> filters, bias;
        LineVector<int16_t> fixed;  // the filters as whole numbers, where they are taken
        LineVector<float> scales;   // of those
    };
    struct Block {
        Conv one, two;
        Dense pool;  // of no size where there is none
    };

    const Tensor &find(const std::map<std::string, Tensor> &tensors, const std::string &name, size_t axes) const;
    Dense dense(const std::map<std::string, Tensor> &tensors, const std::string &name, int in) const;
    Dense pointwise(const std::map<std::string, Tensor> &tensors, const std::string &name, int in) const;
    Conv conv(const std::map<std::string, Tensor> &tensors, const std::string &name, int in) const;
    void fix(Conv &layer) const;
    void run(const Conv &layer, const Boards &boards, const float *input, bool rectify, float *output, bool add,
             Desk &desk) const;
    void run(const Dense &layer, const float *input, int rows, int stride, float *output) const;
    // Mean and maximum over the cells of a board, side by side.
    static void pool(const float *cells, int count, int channels, float *out);

    int height_, width_, tile_;
    bool fixed_;
    int planes_ = 0, globals_ = 0, channels_ = 0, policies_ = 0;
    Conv stem_;
    Dense stem_globals_, policy_conv_, policy_pool_, policy_, swap_, value_conv_, value_hidden_, value_, margin_;
    std::vector<Block> blocks_;
};

}  // namespace taiji
