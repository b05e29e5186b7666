// The dialogue of an engine with stepbench (docs/adding-an-engine.md), for engines in C++17, without other libraries.
//
//     #include "engine.hpp"
//     struct Mine : engine::Engine {
//         const char *hello() const override {      // JSON
//             return R"({"name": "mine", "version": "1", "order": 1, "state": "pure"})"; }
//         void world(const engine::Json &world, const engine::Json &parameters) override;   // builds the model, or:
//                                                                   // throw engine::Refuse("why not")
//         void set(double time, const engine::Rows &poses, const engine::Rows &twists) override; // of all bodies
//         void step(double h, engine::Rows &poses, engine::Rows &twists) override;   // sets both, or:
//     };                                                            // throw engine::Fail("why not")
//     int main() { Mine mine; return engine::run(mine); }
//
// An engine whose state is `opaque` overrides state() and restore(), which is called after set().
//
// In the plane a pose is [x, y, angle] and a twist [x', y', angle']; in space [x, y, z, e0, e1, e2, e3] with a unit
// quaternion (scalar first, body to space), and [x', y', z', wx, wy, wz] with the angular velocity in space.
#ifndef STEPBENCH_ENGINE_HPP
#define STEPBENCH_ENGINE_HPP

#include <unistd.h>

#include <algorithm>
#include <array>
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
    virtual std::vector<unsigned char> state() { return {}; }
    virtual void restore(const std::vector<unsigned char> &) {}
    virtual Rows wrenches() { return {}; } // if it says "multipliers": of the joints on the bodies in the last step
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

// Returns the member `state` of an answer, empty if the engine has no bytes of its own.
inline std::string written_state(Engine &me) {
    const std::vector<unsigned char> bytes = me.state();
    if (bytes.empty()) return "";
    std::string out = ", \"state\": \"";
    for (unsigned char byte : bytes) out += "0123456789abcdef"[byte / 16], out += "0123456789abcdef"[byte % 16];
    return out + "\"";
}

inline std::vector<unsigned char> read_state(const std::string &text) {
    std::vector<unsigned char> out;
    for (std::size_t k = 0; k + 1 < text.size(); k += 2)
        out.push_back(static_cast<unsigned char>(std::stoi(text.substr(k, 2), nullptr, 16)));
    return out;
}

inline std::string answer(Engine &me, const Json &message) {
    const std::string &kind = message["message"].text;
    if (kind == "hello") {
        std::string hello = me.hello();
        std::replace(hello.begin(), hello.end(), '\n', ' ');
        return hello;
    }
    if (kind == "world") {
        me.world(message["world"], message["parameters"]);
        return "{\"ok\": true}";
    }
    if (kind == "set") {
        me.set(message["time"].number, message["poses"].rows(), message["twists"].rows());
        if (message.has("state")) me.restore(read_state(message["state"].text));
        return "{\"ok\": true" + written_state(me) + "}";
    }
    Rows poses, twists;
    me.step(message["h"].number, poses, twists);
    const Rows wrenches = me.wrenches();
    const std::string more = wrenches.empty() ? "" : ", \"wrenches\": " + written(wrenches);
    return "{\"poses\": " + written(poses) + ", \"twists\": " + written(twists) + more + written_state(me) + "}";
}

// Answers to all messages, until the end. What the engine prints goes to the standard error.
inline int run(Engine &me) {
    std::FILE *to = fdopen(dup(1), "w");
    dup2(2, 1);
    for (std::string line, reply; std::getline(std::cin, line);) {
        const Json message = Reader(line).value();
        if (message["message"].text == "end") break;
        try {
            reply = answer(me, message);
        } catch (const Refuse &why) {
            reply = "{\"refuse\": " + quoted(why.what()) + "}";
        } catch (const Fail &why) {
            reply = "{\"fail\": " + quoted(why.what()) + "}";
        }
        std::fputs((reply + "\n").c_str(), to);
        std::fflush(to);
    }
    return 0;
}

// Refuses a world that has something in one of these lists.
inline void refuse_lists(const Json &world, const std::vector<const char *> &names) {
    for (const char *name : names)
        if (world.has(name) && world[name].size() > 0) throw Refuse(std::string("it has no ") + name);
}

// ---- The world of an engine that has bodies and joints in space. A world in the plane is in the plane z = 0. ----

using Vector = std::array<double, 3>;
using Quaternion = std::array<double, 4>;

struct Body {
    std::string name;
    double mass;
    Vector inertia; // in the plane about z, for all axes; of a particle some that nothing depends on
    bool particle;
};

struct Joint { // or spring
    std::string type;
    int body[2]; // their numbers, -1: the ground
    Vector point[2], axis[2];
    double length, stiffness, damping;
};

struct State {
    Vector x, v, w;
    Quaternion e;
};

struct World {
    bool planar;
    Vector gravity;
    std::vector<Body> bodies;
    std::vector<State> start;
    std::vector<Joint> joints; // and springs
};

inline Vector in_space(const Json &from) {
    const std::vector<double> a = from.numbers();
    return {a.at(0), a.at(1), a.size() > 2 ? a[2] : 0.0};
}

// Returns the state of a body in space.
inline State in_space(const std::vector<double> &x, const std::vector<double> &u) {
    if (x.size() == 7) return {{x[0], x[1], x[2]}, {u[0], u[1], u[2]}, {u[3], u[4], u[5]}, {x[3], x[4], x[5], x[6]}};
    return {{x[0], x[1], 0}, {u[0], u[1], 0}, {0, 0, u[2]}, {std::cos(x[2] / 2), 0, 0, std::sin(x[2] / 2)}};
}

inline std::vector<State> in_space(const Rows &poses, const Rows &twists) {
    std::vector<State> out;
    for (std::size_t k = 0; k < poses.size(); k++) out.push_back(in_space(poses[k], twists[k]));
    return out;
}

// Appends the pose and the twist of a body. Fails if one is not finite.
inline void append(const State &s, bool planar, Rows &poses, Rows &twists) {
    if (planar) {
        poses.push_back({s.x[0], s.x[1], 2 * std::atan2(s.e[3], s.e[0])});
        twists.push_back({s.v[0], s.v[1], s.w[2]});
    } else {
        poses.push_back({s.x[0], s.x[1], s.x[2], s.e[0], s.e[1], s.e[2], s.e[3]});
        twists.push_back({s.v[0], s.v[1], s.v[2], s.w[0], s.w[1], s.w[2]});
    }
    for (double x : poses.back())
        if (!std::isfinite(x)) throw Fail("its state is not finite");
}

inline Body read_body(const std::string &name, const Json &from) {
    const Json &J = from["inertia"];
    Body out = {name, from["mass"].number, {J.number, J.number, J.number}, false};
    if (J.kind == Json::List) out.inertia = in_space(J);
    out.particle = out.inertia == Vector{0, 0, 0};
    if (out.particle) out.inertia = {out.mass, out.mass, out.mass};
    return out;
}

inline Joint read_joint(const std::string &type, const Json &from, const std::vector<Body> &bodies) {
    Joint out = {type, {-1, -1}, {}, {{0, 0, 1}, {0, 0, 1}}, 0, 0, 0};
    for (int s = 0; s < 2; s++) {
        for (std::size_t k = 0; k < bodies.size(); k++)
            if (bodies[k].name == from["bodies"][s].text) out.body[s] = static_cast<int>(k);
        out.point[s] = in_space(from["points"][s]);
        if (from.has("axes")) out.axis[s] = in_space(from["axes"][s]);
    }
    if (from.has("length")) out.length = from["length"].number;
    if (from.has("stiffness")) out.stiffness = from["stiffness"].number;
    if (from.has("damping")) out.damping = from["damping"].number;
    return out;
}

// Reads a world, or refuses what is not among the types of joints that the engine knows, of which one may be "spring".
inline World read_world(const Json &from, const std::vector<std::string> &known) {
    World out = {from["gravity"].size() == 2, in_space(from["gravity"]), {}, {}, {}};
    const auto knows = [&](const std::string &type) { return std::find(known.begin(), known.end(), type) != known.end(); };
    refuse_lists(from, {"drivers", "forces"});
    for (const auto &member : from["bodies"].members) {
        std::vector<double> pose = member.second["position"].numbers(), twist = member.second["velocity"].numbers();
        const Json &turn = member.second[out.planar ? "angle" : "quaternion"], &rate = member.second["rate"];
        for (double x : out.planar ? std::vector<double>{turn.number} : turn.numbers()) pose.push_back(x);
        for (double x : out.planar ? std::vector<double>{rate.number} : rate.numbers()) twist.push_back(x);
        out.bodies.push_back(read_body(member.first, member.second));
        out.start.push_back(in_space(pose, twist));
    }
    if (from.has("joints"))
        for (const Json &joint : from["joints"].list) {
            const std::string &type = joint["type"].text;
            if (!knows(type)) throw Refuse("it has no " + type + " joint");
            out.joints.push_back(read_joint(type, joint, out.bodies));
        }
    if (!knows("spring")) refuse_lists(from, {"springs"});
    if (from.has("springs"))
        for (const Json &spring : from["springs"].list) out.joints.push_back(read_joint("spring", spring, out.bodies));
    return out;
}

inline void refuse_thin(const World &world) {
    for (const Body &body : world.bodies)
        for (double J : body.inertia)
            if (J == 0) throw Refuse("it has no body that turns without inertia about an axis");
}

struct Shape { // that touches others
    std::string name, type; // plane, sphere, box
    int body;               // its number, -1: the ground
    Vector point, normal, size;
    double radius, friction, restitution; // the coefficients are those of its contacts
    unsigned bits; // two shapes touch if they share a bit, which is that of their contact
};

// Returns the shapes that touch. Refuses more than `most` contacts, capsules, planes of bodies, and a shape whose
// contacts differ in a coefficient, for engines that have coefficients of shapes.
inline std::vector<Shape> touching(const Json &from, const World &world, std::size_t most) {
    std::vector<Shape> out;
    if (!from.has("contacts")) return out;
    const std::vector<Json> &contacts = from["contacts"].list;
    if (contacts.size() > most) throw Refuse("its bits distinguish " + std::to_string(most) + " pairs of shapes");
    for (const auto &member : from["shapes"].members) {
        const Json &given = member.second;
        Shape shape = {member.first, given["type"].text, -1, {}, {}, {}, 0, -1, -1, 0};
        for (std::size_t k = 0; k < contacts.size(); k++) {
            const Json &contact = contacts[k];
            const std::vector<Json> &pair = contact["shapes"].list;
            if (pair[0].text != shape.name && pair[1].text != shape.name) continue;
            const double mu = contact["friction"].number, e = contact["restitution"].number;
            if (shape.bits != 0 && (shape.friction != mu || shape.restitution != e))
                throw Refuse("each of its shapes has one friction and one restitution");
            shape.friction = mu, shape.restitution = e, shape.bits |= 1U << k;
        }
        if (shape.bits == 0) continue;
        for (std::size_t k = 0; k < world.bodies.size(); k++)
            if (world.bodies[k].name == given["body"].text) shape.body = static_cast<int>(k);
        if (shape.type == "capsule") throw Refuse("its contacts have no capsule");
        if (shape.type == "plane" && shape.body >= 0) throw Refuse("its planes are fixed in the ground");
        shape.point = in_space(given["point"]);
        if (given.has("radius")) shape.radius = given["radius"].number;
        if (given.has("size")) shape.size = in_space(given["size"]);
        if (world.planar && given.has("size")) shape.size[2] = shape.size[0];
        if (given.has("normal")) {
            const Vector n = in_space(given["normal"]);
            for (int k = 0; k < 3; k++) shape.normal[k] = n[k] / std::hypot(n[0], n[1], n[2]);
        }
        out.push_back(shape);
    }
    return out;
}

// Returns the ends of the edge of a plane in the plane, 20 m to both sides of its point, with the material at its right.
inline std::array<Vector, 2> edge(const Shape &plane) {
    const Vector &x = plane.point, &n = plane.normal;
    return {{{x[0] - 20 * n[1], x[1] + 20 * n[0], 0}, {x[0] + 20 * n[1], x[1] - 20 * n[0], 0}}};
}

struct Hanging { // a body moves relative to a body that hangs already, by a joint; without one it moves freely
    int child, parent; // -1: the ground
    const Joint *joint; // nullptr: none
    int side;           // of the child in the joint
};

// Returns the bodies in the order of a tree, and the joints that are not in it, by joints that are not of these types.
inline std::vector<Hanging> tree(const World &world, const std::vector<std::string> &never,
                                 std::vector<const Joint *> &others) {
    std::vector<Hanging> out;
    std::vector<bool> placed(world.bodies.size());
    const auto has = [&](int body) { return body < 0 || placed[std::size_t(body)]; };
    const auto may = [&](const Joint &joint) { return std::find(never.begin(), never.end(), joint.type) == never.end(); };
    for (const Joint &joint : world.joints) others.push_back(&joint);
    while (out.size() < world.bodies.size()) {
        const auto next = std::find_if(others.begin(), others.end(), [&](const Joint *joint) {
            return may(*joint) && has(joint->body[0]) != has(joint->body[1]);
        });
        if (next != others.end()) {
            const int side = has((*next)->body[0]);
            out.push_back({(*next)->body[side], (*next)->body[1 - side], *next, side});
            others.erase(next);
        } else {
            out.push_back({int(std::find(placed.begin(), placed.end(), false) - placed.begin()), -1, nullptr, 0});
        }
        placed[std::size_t(out.back().child)] = true;
    }
    return out;
}

// Returns a + R(e) b: a vector of a body in space, from a point a.
inline Vector turned(const Quaternion &e, const Vector &b, const Vector &a = {0, 0, 0}) {
    const auto cross = [](const Vector &u, const Vector &v) {
        return Vector{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    };
    const Vector u = {e[1], e[2], e[3]}, c = cross(u, b), d = cross(u, c);
    Vector out;
    for (std::size_t k = 0; k < 3; k++) out[k] = a[k] + b[k] + 2 * (e[0] * c[k] + d[k]);
    return out;
}

} // namespace engine

#endif
