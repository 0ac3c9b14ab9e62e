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

// Groups that are added one by one, as far as a tally depends on them: the largest ones, or the fold of all.
class Groups {
public:
    explicit Groups(const Tally &tally)
        : tally_(tally), largest_(tally.last ? tally.last : 1), total_(tally.fold == Fold::Product ? 1 : 0) {}

    void add(int size) {
        any_ = true;
        if (tally_.last) return largest_.add(size);
        const int64_t value = tally_.value[size_t(size)];
        total_ = tally_.fold == Fold::Product ? total_ * value : total_ + value;
    }
    int64_t score() const {
        if (tally_.last) return fold_ranks(tally_, largest_, largest_.size());
        return any_ ? total_ : 0;
    }
    void hash_into(ReducedState &e, int colour) const {
        for (int i = 0; i < largest_.size(); i++)
            taiji::add(e, uint64_t(largest_[i]), uint64_t(i), uint64_t(4 + colour) << 32);
        if (!tally_.last) taiji::add(e, uint64_t(total_), any_, uint64_t(6 + colour) << 32);
    }

private:
    const Tally &tally_;
    Top largest_;
    int64_t total_;
    bool any_ = false;
};

template <class M, int Width, bool King>
void reduce(const Stage &stage, Mask light, Mask dark, Mask live_cells, const int gain[2], ReducedState &e) {
    using Fill = Flood<M, Width, King>;
    M live = M(live_cells);
    e.bounded = stage.score.monotone && stage.score.last;
    e.key = e.verification_hash = 0;
    add(e, low(live_cells), high(live_cells), 1);
    for (int colour = 0; colour < 2; colour++) {
        M own = M(colour ? dark : light);
        Groups all(stage.score), settled(stage.score);
        for (M left = own; left;) {
            M group = Fill::lowest_group(left);
            left ^= group;
            int size = count(group);
            M touched = Fill::around(group) & live;
            all.add(size);
            if (touched) {
                Mask t = Mask(touched);
                add(e, low(t), high(t), uint64_t(2 + colour) << 32 | uint64_t(size));
            } else {
                settled.add(size);
            }
        }
        settled.hash_into(e, colour);
        e.score[colour] = all.score();
        if (!e.bounded) continue;
        Groups reachable(stage.score);
        for (M left = own | live; left;) {
            M region = Fill::lowest_group(left);
            left ^= region;
            int size = count(M(region & own)) + std::min(count(M(region & live)), gain[colour]);
            if (size) reachable.add(size);
        }
        e.most[colour] = reachable.score();
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
    (stage.score.join == Join::King ? king : edge)[stage.width - 1](stage, light, dark, live, gain, out);
}

}  // namespace taiji
