#include "reduced_state.hpp"

#include <utility>

#include "scoring.hpp"

namespace taiji {
namespace {

uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

void add(ReducedState &e, uint64_t a, uint64_t b, uint64_t tag) {
    e.key += mixed(a * 0x9E3779B97F4A7C15u + mixed(b * 0xC2B2AE3D27D4EB4Fu + tag));
    e.verification_hash += mixed(b * 0xFF51AFD7ED558CCDu + mixed(a * 0xA0761D6478BD642Fu + tag * 0xE7037ED1A0B428DBu));
}

// The `wanted` largest sizes in descending order.
class Top {
public:
    explicit Top(int wanted) : wanted_(wanted) {}

    void add(int size) {
        int at = n_ < wanted_ ? n_++ : wanted_ - 1;
        if (at == wanted_ - 1 && n_ == wanted_ && sizes_[at] >= size) return;
        while (at > 0 && sizes_[at - 1] < size) {
            sizes_[at] = sizes_[at - 1];
            at--;
        }
        sizes_[at] = size;
    }
    int size() const { return n_; }
    int operator[](int i) const { return sizes_[i]; }

private:
    int wanted_, n_ = 0;
    int sizes_[kMaxCells] = {};
};

int64_t points(const Scoring &scoring, const Top &top, int64_t product, bool any) {
    switch (scoring.rule) {
        case Rule::Ranked: return scoring.count <= top.size() ? top[scoring.count - 1] : 0;
        case Rule::Product: {
            if (!scoring.count) return any ? product : 0;
            int64_t result = any ? 1 : 0;
            for (int i = 0; i < top.size(); i++) result *= top[i];
            return result;
        }
        default: {
            int64_t sum = 0;
            for (int i = 0; i < top.size(); i++)
                sum += scoring.rule == Rule::Squares ? int64_t(top[i]) * top[i] : top[i];
            return sum;
        }
    }
}

template <class M, int Width, bool King>
void reduce(const Stage &stage, Mask light, Mask dark, Mask live_cells, const int gain[2], ReducedState &e) {
    using Fill = Flood<M, Width, King>;
    const Scoring &scoring = stage.scoring;
    M live = M(live_cells);
    // Merging groups may lower the score if sizes are multiplied or a single rank counts.
    e.bounded = scoring.rule == Rule::Largest || scoring.rule == Rule::Squares;
    int wanted = scoring.count ? scoring.count : 1;
    e.key = e.verification_hash = 0;
    add(e, low(live_cells), high(live_cells), 1);
    for (int colour = 0; colour < 2; colour++) {
        M own = M(colour ? dark : light);
        Top all(wanted), settled(wanted);
        int64_t product = 1, settled_product = 1;
        bool any = own != 0, any_settled = false;
        for (M left = own; left;) {
            M group = Fill::lowest_group(left);
            left ^= group;
            int size = count(group);
            M touched = Fill::around(group) & live;
            if (scoring.count) all.add(size);
            else product *= size;
            if (touched) {
                Mask t = Mask(touched);
                add(e, low(t), high(t), uint64_t(2 + colour) << 32 | uint64_t(size));
            } else {
                any_settled = true;
                if (scoring.count) settled.add(size);
                else settled_product *= size;
            }
        }
        for (int i = 0; i < settled.size(); i++) add(e, uint64_t(settled[i]), uint64_t(i), uint64_t(4 + colour) << 32);
        if (!scoring.count) add(e, uint64_t(settled_product), any_settled, uint64_t(6 + colour) << 32);
        e.score[colour] = points(scoring, all, product, any);
        if (!e.bounded) continue;
        Top reachable(wanted);
        for (M left = own | live; left;) {
            M region = Fill::lowest_group(left);
            left ^= region;
            reachable.add(count(M(region & own)) + std::min(count(M(region & live)), gain[colour]));
        }
        e.most[colour] = points(scoring, reachable, 0, true);
    }
}

constexpr int kMaxWidth = 26;
using Function = void (*)(const Stage &, Mask, Mask, Mask, const int *, ReducedState &);

template <class M, bool King, int... Widths>
constexpr std::array<Function, sizeof...(Widths)> functions(std::integer_sequence<int, Widths...>) {
    return {reduce<M, Widths + 1, King>...};
}

using Range = std::make_integer_sequence<int, kMaxWidth>;
constexpr auto small_edge = functions<uint64_t, false>(Range{});
constexpr auto small_king = functions<uint64_t, true>(Range{});
constexpr auto large_edge = functions<Mask, false>(Range{});
constexpr auto large_king = functions<Mask, true>(Range{});

}  // namespace

void reduce_state(const Stage &stage, Mask light, Mask dark, Mask live, const int gain[2], ReducedState &out) {
    const auto &edge = stage.cells <= 64 ? small_edge : large_edge;
    const auto &king = stage.cells <= 64 ? small_king : large_king;
    (stage.scoring.king ? king : edge)[stage.width - 1](stage, light, dark, live, gain, out);
}

}  // namespace taiji
