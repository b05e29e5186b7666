// The dialogue of an engine with stepbench (docs/adding-an-engine.md), for engines in C++17, without other libraries.
//
//     #include "engine.hpp"
//     struct Mine : engine::Engine {
//         const char *hello() const override {      // one line of JSON
//             return R"({"name": "mine", "version": "1", "order": 1, "state": "pure"})"; }
//         void world(const engine::Json &world, const engine::Json &parameters) override;   // builds the model, or:
//                                                                   // throw engine::Refuse("why not")
//         void set(double time, const engine::Rows &poses, const engine::Rows &twists) override; // of all bodies
//         void step(double h, engine::Rows &poses, engine::Rows &twists) override;   // sets both, or:
//     };                                                            // throw engine::Fail("why not")
//     int main() { Mine mine; return engine::run(mine); }
//
// In the plane a pose is [x, y, angle] and a twist [x', y', angle']; in space [x, y, z, e0, e1, e2, e3] with a unit
// quaternion (scalar first, body to space), and [x', y', z', wx, wy, wz] with the angular velocity in space.
// Write nothing to the standard output: it belongs to the dialogue.
#ifndef STEPBENCH_ENGINE_HPP
#define STEPBENCH_ENGINE_HPP

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace engine {

struct Refuse : std::runtime_error { // the engine does not take this world
    using std::runtime_error::runtime_error;
};
struct Fail : std::runtime_error { // the engine cannot take this step
    using std::runtime_error::runtime_error;
};

using Rows = std::vector<std::vector<double>>; // one row per body

// A value of JSON. The members of an object keep their order.
struct Json {
    enum Kind { Null, Bool, Number, Text, List, Object } kind = Null;
    double number = 0.0; // of a Bool 0 or 1
    std::string text;
    std::vector<Json> list;
    std::vector<std::pair<std::string, Json>> members;

    bool has(const char *key) const { return find(key) != nullptr; }
    const Json &operator[](const char *key) const {
        const Json *found = find(key);
        if (found == nullptr) throw std::runtime_error(std::string("no member ") + key);
        return *found;
    }
    const Json &operator[](std::size_t k) const { return list.at(k); }
    std::size_t size() const { return kind == Object ? members.size() : list.size(); }
    std::vector<double> numbers() const {
        std::vector<double> out;
        for (const Json &x : list) out.push_back(x.number);
        return out;
    }
    Rows rows() const {
        Rows out;
        for (const Json &x : list) out.push_back(x.numbers());
        return out;
    }

private:
    const Json *find(const char *key) const {
        for (const auto &member : members)
            if (member.first == key) return &member.second;
        return nullptr;
    }
};

// Reads the JSON of a line; stepbench sends no other than valid one.
class Reader {
public:
    explicit Reader(const std::string &line) : at(line.c_str()) {}
    Json value() {
        Json out;
        switch (peek()) {
        case '{':
            out.kind = Json::Object;
            each('}', [&] {
                std::string key = text();
                expect(':');
                out.members.emplace_back(key, value());
            });
            break;
        case '[':
            out.kind = Json::List;
            each(']', [&] { out.list.push_back(value()); });
            break;
        case '"':
            out.kind = Json::Text;
            out.text = text();
            break;
        case 't': word("true", out, Json::Bool, 1.0); break;
        case 'f': word("false", out, Json::Bool, 0.0); break;
        case 'n': word("null", out, Json::Null, NAN); break;
        default:
            char *end;
            out.kind = Json::Number;
            out.number = std::strtod(at, &end);
            if (end == at) fail();
            at = end;
        }
        return out;
    }

private:
    const char *at;
    [[noreturn]] void fail() const { throw std::runtime_error(std::string("no JSON: ") + std::string(at).substr(0, 40)); }
    char peek() {
        while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
        return *at;
    }
    void expect(char c) {
        if (peek() != c) fail();
        at++;
    }
    template <class Item> void each(char end, Item item) {
        at++;
        for (bool first = true; peek() != end; first = false) {
            if (!first) expect(',');
            item();
        }
        at++;
    }
    void word(const char *name, Json &out, Json::Kind kind, double number) {
        for (; *name != '\0'; name++) expect(*name);
        out.kind = kind;
        out.number = number;
    }
    std::string text() {
        std::string out;
        expect('"');
        for (; *at != '"'; at++) {
            if (*at == '\0') fail();
            if (*at != '\\') {
                out += *at;
                continue;
            }
            at++;
            if (*at == 'u') { // names in worlds have no others than control characters so
                out += static_cast<char>(std::strtol(std::string(at + 1, 4).c_str(), nullptr, 16));
                at += 4;
            } else {
                out += *at == 'n' ? '\n' : *at == 't' ? '\t' : *at == 'r' ? '\r' : *at;
            }
        }
        at++;
        return out;
    }
};

struct Engine {
    virtual ~Engine() = default;
    virtual const char *hello() const = 0;
    virtual void world(const Json &world, const Json &parameters) = 0;
    virtual void set(double time, const Rows &poses, const Rows &twists) = 0;
    virtual void step(double h, Rows &poses, Rows &twists) = 0;
};

// Returns a text as JSON.
inline std::string quoted(const std::string &text) {
    std::string out = "\"";
    for (char c : text) out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c < ' ' && c >= 0 ? ' ' : c};
    return out + "\"";
}

// Returns a list of lists of numbers; one that is not finite is null.
inline std::string written(const Rows &rows) {
    std::string out = "[";
    char number[40];
    for (std::size_t i = 0; i < rows.size(); i++) {
        out += i > 0 ? ", [" : "[";
        for (std::size_t k = 0; k < rows[i].size(); k++) {
            std::snprintf(number, sizeof number, "%.17g", rows[i][k]);
            out += (k > 0 ? ", " : "") + std::string(std::isfinite(rows[i][k]) ? number : "null");
        }
        out += "]";
    }
    return out + "]";
}

inline std::string answer(Engine &me, const Json &message) {
    const std::string &kind = message["message"].text;
    if (kind == "hello") return me.hello();
    if (kind == "world") {
        me.world(message["world"], message["parameters"]);
        return "{\"ok\": true}";
    }
    if (kind == "set") {
        me.set(message["time"].number, message["poses"].rows(), message["twists"].rows());
        return "{\"ok\": true}";
    }
    Rows poses, twists;
    me.step(message["h"].number, poses, twists);
    return "{\"poses\": " + written(poses) + ", \"twists\": " + written(twists) + "}";
}

// Answers to all messages, until the end.
inline int run(Engine &me) {
    for (std::string line; std::getline(std::cin, line);) {
        const Json message = Reader(line).value();
        if (message["message"].text == "end") break;
        try {
            std::cout << answer(me, message) << std::endl;
        } catch (const Refuse &why) {
            std::cout << "{\"refuse\": " << quoted(why.what()) << "}" << std::endl;
        } catch (const Fail &why) {
            std::cout << "{\"fail\": " << quoted(why.what()) << "}" << std::endl;
        }
    }
    return 0;
}

// Refuses a world that has something in one of these lists.
inline void refuse_lists(const Json &world, const std::vector<const char *> &names) {
    for (const char *name : names)
        if (world.has(name) && world[name].size() > 0) throw Refuse(std::string("it has no ") + name);
}

} // namespace engine

#endif
