// Shared libraries beside this one.
#pragma once

#include <string>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace taiji {

#if defined(_WIN32)

constexpr const char *kLibrarySuffix = ".dll";

// Returns the address of a symbol of the library at a path relative to the folder of this one, or null and a problem.
inline void *symbol_beside(const std::string &file, const char *symbol, std::string &problem) {
    HMODULE self = nullptr;
    wchar_t path[32768];
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       reinterpret_cast<const wchar_t *>(&symbol_beside), &self);
    std::wstring place(path, GetModuleFileNameW(self, path, 32768));
    place.erase(place.find_last_of(L"\\/") + 1);
    for (char c : file) place += c == '/' ? L'\\' : wchar_t(c);
    HMODULE library = LoadLibraryExW(place.c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
    void *found = library ? reinterpret_cast<void *>(GetProcAddress(library, symbol)) : nullptr;
    if (!found) problem = file + ": error " + std::to_string(GetLastError());
    return found;
}

#else

constexpr const char *kLibrarySuffix = ".so";

// Returns the address of a symbol of the library at a path relative to the folder of this one, or null and a problem.
inline void *symbol_beside(const std::string &file, const char *symbol, std::string &problem) {
    Dl_info self{};
    dladdr(reinterpret_cast<const void *>(&symbol_beside), &self);
    std::string place = self.dli_fname ? self.dli_fname : "";
    place.erase(place.find_last_of('/') + 1);
    void *library = dlopen((place + file).c_str(), RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, symbol) : nullptr;
    if (!found) {
        const char *text = dlerror();
        problem = text ? text : file;
    }
    return found;
}

#endif

}  // namespace taiji
