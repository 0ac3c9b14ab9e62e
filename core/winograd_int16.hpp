// Winograd convolutions with int16 matrix products, about 0.6× the time of float32 on AVX2 (docs/nets.md). Each row has
// its own scale; int32 sums cannot overflow (`kMaxInt16FilterSum`). Error: below 0.1 % of the output.
//
// Included after winograd_impl.hpp and a file that defines kMaxPanels, max_rows, multiply_int16 and quantise_row
// for one instruction set, into its namespace.

// Multiplies all rows by P panels of 16 columns, or by fewer if there are not as many or more rows fit the registers
// then; returns by how many.
template <int P>
inline int multiply_panels(const int16_t *a, int rows, const int16_t *panels, int depth, int left, int width,
                           const float *of_row, const float *of_column, float *c) {
    constexpr int kMaxRows = max_rows(P);
    if constexpr (P > 1)
        if (left < P || (rows > kMaxRows && max_rows(P / 2) > kMaxRows))
            return multiply_panels<P / 2>(a, rows, panels, depth, left, width, of_row, of_column, c);
    for (int done = 0; done < rows;) {
        const int r = rows_at_once(rows - done, kMaxRows);
        with_rows<kMaxRows>(r, [&](auto at_once) {
            multiply_int16<at_once.value, P>(a + done * depth, panels, of_row + done, of_column, c + done * width,
                                             width, depth);
        });
        done += r;
    }
    return P;
}

inline void matmul_int16(const int16_t *a, int rows, const int16_t *panels, int depth, int width, const float *of_row,
                         const float *of_column, float *c) {
    for (int at = 0; at < width / 16;)
        at += multiply_panels<kMaxPanels>(a, rows, panels + at * depth * 16, depth, width / 16 - at, width, of_row,
                                          of_column + at * 16, c + at * 16);
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
        const float *from = input + size_t(board) * size_t(boards.cells() * in);
        if (relu) transform_input_tile<M, true, TAIJI_LANES>(from, boards, in, y0, x0, workspace.tile, size_t(in));
        else transform_input_tile<M, false, TAIJI_LANES>(from, boards, in, y0, x0, workspace.tile, size_t(in));
        for (int f = 0; f < T * T; f++)
            workspace.scales[f * tiles + tile] =
                quantise_row(workspace.tile + f * in, in, most,
                             workspace.input_tiles + (size_t(f) * size_t(tiles) + size_t(tile)) * size_t(in));
    }
    // Step 2: one matrix product per frequency.
    for (int f = 0; f < T * T; f++)
        matmul_int16(workspace.input_tiles + size_t(f) * size_t(tiles * in), tiles,
                     layer.filters + size_t(f) * size_t(in * out), in, out, workspace.scales + f * tiles,
                     layer.scales + f * out, workspace.output_tiles + size_t(f) * size_t(tiles * out));
    // Step 3: transform back to cells.
    transform_output<M, TAIJI_LANES>(workspace.output_tiles, layer.bias, out, boards, output, add);
}

void convolve_int16(const Int16Convolution &layer, const Boards &boards, const float *input, bool relu, float *output,
                    bool add, Int16Workspace workspace) {
    if (layer.tile == 4) convolve_int16_by<4>(layer, boards, input, relu, output, add, workspace);
    else convolve_int16_by<3>(layer, boards, input, relu, output, add, workspace);
}
