// Games, nets and options as the page describes them (web/src/engine/describe.ts writes them).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "convnet.hpp"
#include "reader.hpp"
#include "search_types.hpp"

namespace taiji {

// Each throws std::invalid_argument if the description is not valid.
CompiledGamePtr read_game(Reader reader);
std::unique_ptr<AnyPosition> read_position(Reader reader, const CompiledGamePtr &game);
std::map<std::string, Tensor> read_tensors(Reader reader);
NetEncoderSpec read_encoder(Reader &reader);
SearchOptions read_search_options(Reader reader);
PuctOptions read_puct_options(Reader &reader);

}  // namespace taiji
