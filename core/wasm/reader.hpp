// Reads what the page writes into memory: little-endian numbers one after another, never past the end.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "program.hpp"

namespace taiji {

class Reader {
public:
    Reader(const uint8_t *data, size_t bytes) : at_(data), end_(data + bytes) {}

    template <class T> T take() {
        T value;
        std::memcpy(&value, take_bytes(sizeof value), sizeof value);
        return value;
    }

    // Reads an integer and checks its range.
    int integer(const char *what, int low, int high) {
        const int value = take<int32_t>();
        if (value < low || value > high) throw std::invalid_argument(std::string(what) + ": out of range");
        return value;
    }
    bool flag() { return integer("flag", 0, 1) != 0; }
    MaskWords mask() {
        const uint64_t low = take<uint64_t>();
        return {low, take<uint64_t>()};
    }
    std::vector<int> integers(const char *what, int low, int high, size_t most) {
        std::vector<int> found(count(what, most));
        for (int &value : found) value = integer(what, low, high);
        return found;
    }
    std::vector<MaskWords> masks(const char *what, size_t most) {
        std::vector<MaskWords> found(count(what, most));
        for (MaskWords &value : found) value = mask();
        return found;
    }
    // Reads the length of a list.
    size_t count(const char *what, size_t most) { return size_t(integer(what, 0, int(most))); }

    const uint8_t *take_bytes(size_t bytes) {
        if (size_t(end_ - at_) < bytes) throw std::invalid_argument("the description is cut short");
        const uint8_t *found = at_;
        at_ += bytes;
        return found;
    }

    void finish() const {
        if (at_ != end_) throw std::invalid_argument("the description is too long");
    }

private:
    const uint8_t *at_, *end_;
};

}  // namespace taiji
