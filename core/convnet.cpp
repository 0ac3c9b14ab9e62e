#include "convnet.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace taiji {
namespace {

int padded(int n) { return (n + 7) / 8 * 8; }

// One-dimensional Winograd filter transforms for output tiles of 4 and of 3 cells.
constexpr double kFilter4[6][3] = {{1. / 4, 0, 0},
                                   {-1. / 6, -1. / 6, -1. / 6},
                                   {-1. / 6, 1. / 6, -1. / 6},
                                   {1. / 24, 1. / 12, 1. / 6},
                                   {1. / 24, -1. / 12, 1. / 6},
                                   {0, 0, 1}};
constexpr double kFilter3[5][3] = {
    {1. / 2, 0, 0}, {-1. / 2, -1. / 2, -1. / 2}, {-1. / 6, 1. / 6, -1. / 6}, {1. / 6, 1. / 3, 2. / 3}, {0, 0, 1}};

// Returns the number of multiplications per channel pair of a board with tiles of this size.
int cost(int height, int width, int tile) {
    return ((height + tile - 1) / tile) * ((width + tile - 1) / tile) * (tile + 2) * (tile + 2);
}

void relu(float *values, size_t n) {
    for (size_t i = 0; i < n; i++) values[i] = values[i] > 0 ? values[i] : 0;
}

}  // namespace

ConvNet::ConvNet(const std::map<std::string, Tensor> &tensors, int height, int width, bool int16,
                 const std::string &backend)
    : backend_(simd_backend(backend)), height_(height), width_(width),
      tile_(cost(height, width, 3) < cost(height, width, 4) ? 3 : 4), int16_(int16 && backend_.convolve_int16) {
    if (height < 1 || width < 1 || height * width > kMaxCells) throw std::invalid_argument("invalid board size");
    const Tensor &stem = find(tensors, "stem_w", 4);
    channels_ = stem.shape[0];
    planes_ = stem.shape[1];
    if (channels_ % 8)
        throw std::invalid_argument("unsupported net: the number of channels is not a multiple of eight");
    if (channels_ > kMaxChannels || planes_ > kMaxChannels - 8)
        throw std::invalid_argument("unsupported net: too many channels");
    stem_ = conv(tensors, "stem", planes_);
    globals_ = find(tensors, "stem_globals_w", 2).shape[0];
    stem_globals_ = dense(tensors, "stem_globals", globals_);
    for (int i = 0; tensors.count("block" + std::to_string(i) + "_one_w"); i++) {
        std::string name = "block" + std::to_string(i);
        Block &block = blocks_.emplace_back();
        block.one = conv(tensors, name + "_one", channels_);
        block.two = conv(tensors, name + "_two", channels_);
        if (tensors.count(name + "_pool_dense_w")) block.pool = dense(tensors, name + "_pool_dense", 2 * channels_);
        if (block.one.out != channels_ || block.two.out != channels_ || (block.pool.in && block.pool.out != channels_))
            throw std::invalid_argument("unsupported net: a block changes the number of channels");
    }
    policy_conv_ = pointwise(tensors, "policy_conv", channels_);
    policy_pool_ = dense(tensors, "policy_pool", 2 * channels_);
    policy_ = pointwise(tensors, "policy", policy_conv_.out);
    policies_ = policy_.out;
    if (tensors.count("swap_w")) swap_ = dense(tensors, "swap", 2 * channels_);
    value_conv_ = pointwise(tensors, "value_conv", channels_);
    value_hidden_ = dense(tensors, "value_hidden", 2 * value_conv_.out);
    value_ = dense(tensors, "value", value_hidden_.out);
    margin_ = dense(tensors, "margin", value_hidden_.out);
    if (policy_pool_.out != policy_conv_.out || policy_conv_.out % 8 || value_conv_.out % 8 || value_hidden_.out % 8 ||
        stem_globals_.out != channels_ || value_.out != 1 || margin_.out != kMarginBins || (swap_.in && swap_.out != 1))
        throw std::invalid_argument("unsupported net: unexpected shape of a head");
}

const Tensor &ConvNet::find(const std::map<std::string, Tensor> &tensors, const std::string &name, size_t axes) const {
    auto it = tensors.find(name);
    if (it == tensors.end()) throw std::invalid_argument("unsupported net: missing tensor " + name);
    size_t size = 1;
    for (int n : it->second.shape) size *= size_t(n);
    if (it->second.shape.size() != axes || size != it->second.values.size() || !size)
        throw std::invalid_argument(name + " has an unexpected shape");
    return it->second;
}

ConvNet::Dense ConvNet::dense(const std::map<std::string, Tensor> &tensors, const std::string &name, int in) const {
    const Tensor &w = find(tensors, name + "_w", 2), &b = find(tensors, name + "_b", 1);
    Dense layer{w.shape[0], w.shape[1], padded(w.shape[1]), {}, {}};
    if (layer.in != in || b.shape[0] != layer.out) throw std::invalid_argument(name + " has an unexpected shape");
    layer.panels.assign(size_t(layer.in * layer.padded), 0.f);
    layer.bias.assign(size_t(layer.padded), 0.f);
    for (int k = 0; k < layer.in; k++)
        for (int n = 0; n < layer.out; n++)
            layer.panels[panel_offset(k, n, layer.in, layer.padded)] = w.values[size_t(k * layer.out + n)];
    std::copy(b.values.begin(), b.values.end(), layer.bias.begin());
    return layer;
}

ConvNet::Dense ConvNet::pointwise(const std::map<std::string, Tensor> &tensors, const std::string &name, int in) const {
    const Tensor &w = find(tensors, name + "_w", 4);
    if (w.shape[2] != 1 || w.shape[3] != 1) throw std::invalid_argument(name + " has an unexpected shape");
    Tensor turned{{w.shape[1], w.shape[0]}, std::vector<float>(w.values.size())};
    for (int n = 0; n < w.shape[0]; n++)
        for (int k = 0; k < w.shape[1]; k++)
            turned.values[size_t(k * w.shape[0] + n)] = w.values[size_t(n * w.shape[1] + k)];
    return dense({{name + "_w", turned}, {name + "_b", find(tensors, name + "_b", 1)}}, name, in);
}

ConvNet::Conv ConvNet::conv(const std::map<std::string, Tensor> &tensors, const std::string &name, int in) const {
    const Tensor &w = find(tensors, name + "_w", 4), &b = find(tensors, name + "_b", 1);
    Conv layer;
    layer.in = padded(in);
    layer.out = w.shape[0];
    if (w.shape[1] != in || w.shape[2] != 3 || w.shape[3] != 3 || layer.out % 8 || b.shape[0] != layer.out)
        throw std::invalid_argument(name + " has an unexpected shape");
    const int side = tile_ + 2;
    layer.bias.assign(b.values.begin(), b.values.end());
    layer.filters.assign(size_t(side * side * layer.in * layer.out), 0.f);
    for (int n = 0; n < layer.out; n++)
        for (int k = 0; k < in; k++) {
            const float *g = w.values.data() + (size_t(n) * size_t(in) + size_t(k)) * 9;
            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++) {
                    const double *up = tile_ == 4 ? kFilter4[y] : kFilter3[y],
                                 *across = tile_ == 4 ? kFilter4[x] : kFilter3[x];
                    double sum = 0;
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++) sum += up[i] * double(g[3 * i + j]) * across[j];
                    layer.filters[size_t((y * side + x) * layer.in * layer.out) +
                                  panel_offset(k, n, layer.in, layer.out)] = float(sum);
                }
        }
    if (int16_ && layer.in % 16 == 0 && layer.out % 16 == 0) quantise(layer);
    return layer;
}

// Quantises the filters to int16 with one scale per column and frequency: the largest at which no sum can overflow.
void ConvNet::quantise(Conv &layer) const {
    const int in = layer.in, out = layer.out, frequencies = (tile_ + 2) * (tile_ + 2);
    layer.int16.assign(layer.filters.size(), 0);
    layer.scales.assign(size_t(frequencies * out), 0.f);
    for (int f = 0; f < frequencies; f++) {
        const float *from = layer.filters.data() + f * in * out;
        int16_t *to = layer.int16.data() + f * in * out;
        for (int n = 0; n < out; n++) {
            float largest = 1e-30f, sum = 1e-30f;
            for (int k = 0; k < in; k++) {
                const float magnitude = std::abs(from[panel_offset(k, n, in, out)]);
                largest = std::max(largest, magnitude);
                sum += magnitude;
            }
            // Rounding adds at most a half to each magnitude.
            const float scale = std::min(INT16_MAX / largest, (kMaxInt16FilterSum - 0.5f * float(in)) * 0.9999f / sum);
            layer.scales[size_t(f * out + n)] = 1 / scale;
            for (int k = 0; k < in; k++)
                to[n / 16 * in * 16 + k / 2 * 32 + n % 16 * 2 + k % 2] =
                    int16_t(std::lround(from[panel_offset(k, n, in, out)] * scale));
        }
    }
    layer.filters = {};
}

void ConvNet::run(const Conv &layer, const Boards &boards, const float *input, bool relu, float *output, bool add,
                  Workspace &workspace) const {
    if (!layer.int16.empty()) {
        Int16Convolution quantised{
            tile_, layer.in, layer.out, layer.int16.data(), layer.scales.data(), layer.bias.data()};
        return backend_.convolve_int16(quantised, boards, input, relu, output, add,
                                       {workspace.tile.data(), workspace.int16_tiles.data(), workspace.scales.data(),
                                        workspace.output_tiles.data()});
    }
    Convolution convolution{tile_, layer.in, layer.out, layer.filters.data(), layer.bias.data()};
    backend_.convolve(convolution, boards, input, relu, output, add, workspace.input_tiles.data(),
                      workspace.output_tiles.data());
}

void ConvNet::run(const Dense &layer, const float *input, int rows, int stride, float *output) const {
    backend_.matmul(input, stride, rows, layer.panels.data(), layer.in, layer.padded, layer.bias.data(), output,
                    layer.padded);
}

void ConvNet::pool(const float *cells, int count, int channels, float *out) {
    for (int c = 0; c < channels; c++) out[c] = 0, out[channels + c] = cells[c];
    for (int cell = 0; cell < count; cell++)
        for (int c = 0; c < channels; c++) {
            float v = cells[cell * channels + c];
            out[c] += v;
            out[channels + c] = std::max(out[channels + c], v);
        }
    for (int c = 0; c < channels; c++) out[c] /= float(count);
}

NetOutput ConvNet::evaluate(Workspace &workspace, const float *planes, const float *globals, int count) const {
    const Boards boards{count, height_, width_};
    const int cells = boards.cells(), wide = channels_;
    const size_t floats = size_t(count * cells) * size_t(std::max(wide, std::max(stem_.in, policy_.padded)));
    const size_t tiles = size_t(count * ((height_ + tile_ - 1) / tile_) * ((width_ + tile_ - 1) / tile_));
    const size_t tile_floats = size_t((tile_ + 2) * (tile_ + 2)) * tiles * size_t(std::max(wide, stem_.in));
    workspace.stream.resize(floats), workspace.inner.resize(floats), workspace.other.resize(floats);
    workspace.input_tiles.resize(tile_floats), workspace.output_tiles.resize(tile_floats),
        workspace.int16_tiles.resize(tile_floats);
    workspace.scales.resize(tile_floats / size_t(std::max(wide, stem_.in)));
    workspace.tile.resize(size_t((tile_ + 2) * (tile_ + 2) * wide));
    const int most = 2 * std::max({wide, value_conv_.out, policy_conv_.out, value_hidden_.padded, margin_.padded});
    workspace.row.resize(size_t(3 * most));
    workspace.policy.resize(size_t(count * policies_ * cells));
    workspace.swap.resize(size_t(count)), workspace.value.resize(size_t(count));
    workspace.margin.resize(size_t(count * kMarginBins));
    float *stream = workspace.stream.data(), *inner = workspace.inner.data(), *other = workspace.other.data();
    float *pooled = workspace.row.data(), *extra = pooled + most, *last = extra + most;

    // Transpose the inputs to cell-major order.
    std::fill(other, other + size_t(count * cells * stem_.in), 0.f);
    for (int b = 0; b < count; b++)
        for (int p = 0; p < planes_; p++)
            for (int cell = 0; cell < cells; cell++)
                other[(b * cells + cell) * stem_.in + p] = planes[(b * planes_ + p) * cells + cell];
    run(stem_, boards, other, false, stream, false, workspace);
    auto add_to_board = [&](float *board, int channels, const float *what) {
        for (int cell = 0; cell < cells; cell++)
            for (int c = 0; c < channels; c++) board[cell * channels + c] += what[c];
    };
    for (int b = 0; b < count; b++) {
        run(stem_globals_, globals + b * globals_, 1, globals_, extra);
        add_to_board(stream + b * cells * wide, wide, extra);
    }
    for (const Block &block : blocks_) {
        run(block.one, boards, stream, true, inner, false, workspace);
        if (block.pool.in)
            for (int b = 0; b < count; b++) {
                float *board = inner + b * cells * wide;
                relu(board, size_t(cells * wide));
                pool(board, cells, wide, pooled);
                run(block.pool, pooled, 1, 2 * wide, extra);
                add_to_board(board, wide, extra);
            }
        run(block.two, boards, inner, true, stream, true, workspace);
    }
    relu(stream, size_t(count * cells * wide));
    for (int b = 0; b < count; b++) {
        const float *trunk = stream + b * cells * wide;
        pool(trunk, cells, wide, pooled);
        // Policy head, written plane by plane.
        run(policy_conv_, trunk, cells, wide, inner);
        run(policy_pool_, pooled, 1, 2 * wide, extra);
        add_to_board(inner, policy_conv_.out, extra);
        relu(inner, size_t(cells * policy_conv_.out));
        run(policy_, inner, cells, policy_conv_.out, other);
        float *policy = workspace.policy.data() + b * policies_ * cells;
        for (int p = 0; p < policies_; p++)
            for (int cell = 0; cell < cells; cell++) policy[p * cells + cell] = other[cell * policy_.padded + p];
        if (swap()) {
            run(swap_, pooled, 1, 2 * wide, extra);
            workspace.swap[size_t(b)] = extra[0];
        }
        // Value and margin heads.
        run(value_conv_, trunk, cells, wide, inner);
        relu(inner, size_t(cells * value_conv_.out));
        pool(inner, cells, value_conv_.out, pooled);
        run(value_hidden_, pooled, 1, 2 * value_conv_.out, extra);
        relu(extra, size_t(value_hidden_.out));
        run(value_, extra, 1, value_hidden_.out, last);
        workspace.value[size_t(b)] = last[0];
        run(margin_, extra, 1, value_hidden_.out, last);
        std::copy(last, last + kMarginBins, workspace.margin.data() + b * kMarginBins);
    }
    return {workspace.policy.data(), swap() ? workspace.swap.data() : nullptr, workspace.value.data(),
            workspace.margin.data()};
}

}  // namespace taiji
