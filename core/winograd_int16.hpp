// Winograd convolutions with int16 matrix products, about 0.6× the time of float32 on AVX2 (docs/nets.md). Each row has
// its own scale; int32 sums cannot overflow (`kMaxInt16FilterSum`). Error: below 0.1 % of the output.
//
// Included after winograd_impl.hpp and a file that defines kMaxRows, multiply_int16, quantise_row and max_magnitudes
// for one instruction set, into its namespace.

inline void matmul_int16(const int16_t *a, int rows, const int16_t *panels, int depth, int width, const float *of_row,
                         const float *of_column, float *c) {
    for (int at = 0; at < width; at += 16, panels += depth * 16)
        for (int done = 0; done < rows;) {
            const int left = rows - done;
            const int r = left >= 2 * kMaxRows ? kMaxRows : left > kMaxRows ? (left + 1) / 2 : left;
            const int16_t *from = a + done * depth;
            float *to = c + done * width + at;
            if (r == kMaxRows) multiply_int16<kMaxRows>(from, panels, of_row + done, of_column + at, to, width, depth);
            else if (r == 4) multiply_int16<4>(from, panels, of_row + done, of_column + at, to, width, depth);
            else if (r == 3) multiply_int16<3>(from, panels, of_row + done, of_column + at, to, width, depth);
            else if (r == 2) multiply_int16<2>(from, panels, of_row + done, of_column + at, to, width, depth);
            else multiply_int16<1>(from, panels, of_row + done, of_column + at, to, width, depth);
            done += r;
        }
}

template <int M>
void convolve_int16_by(const Int16Convolution &layer, const Boards &boards, const float *input, bool relu,
                       float *output, bool add, Int16Workspace workspace) {
    constexpr int T = M + 2;
    const int in = layer.in, out = layer.out;
    const int up = (boards.height + M - 1) / M, across = (boards.width + M - 1) / M, tiles = boards.count * up * across;
    const float most = float(kMaxInt16Input);
    // Step 1: transform and quantise the input tiles.
    for (int tile = 0; tile < tiles; tile++) {
        const int board = tile / (up * across), y0 = tile / across % up * M - 1, x0 = tile % across * M - 1;
        V8 magnitudes[T * T] = {};
        const float *from = input + size_t(board) * size_t(boards.cells() * in);
        auto take = [&](int f, int c, V8 v) {
            store(workspace.tile + f * in + c, v);
            magnitudes[f] = max_magnitudes(magnitudes[f], v);
        };
        if (relu) transform_input_tile<M, true>(from, boards, in, y0, x0, take);
        else transform_input_tile<M, false>(from, boards, in, y0, x0, take);
        for (int f = 0; f < T * T; f++)
            workspace.scales[f * tiles + tile] =
                quantise_row(workspace.tile + f * in, in, magnitudes[f], most,
                             workspace.input_tiles + (size_t(f) * size_t(tiles) + size_t(tile)) * size_t(in));
    }
    // Step 2: one matrix product per frequency.
    for (int f = 0; f < T * T; f++)
        matmul_int16(workspace.input_tiles + size_t(f) * size_t(tiles * in), tiles,
                     layer.filters + size_t(f) * size_t(in * out), in, out, workspace.scales + f * tiles,
                     layer.scales + f * out, workspace.output_tiles + size_t(f) * size_t(tiles * out));
    // Step 3: transform back to cells.
    transform_output<M>(workspace.output_tiles, layer.bias, out, boards, output, add);
}

void convolve_int16(const Int16Convolution &layer, const Boards &boards, const float *input, bool relu, float *output,
                    bool add, Int16Workspace workspace) {
    if (layer.tile == 4) convolve_int16_by<4>(layer, boards, input, relu, output, add, workspace);
    else convolve_int16_by<3>(layer, boards, input, relu, output, add, workspace);
}
