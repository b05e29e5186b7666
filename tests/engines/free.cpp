// A small engine for the tests: one free body in space, by the explicit midpoint rule (hnw93 II.1), which has order 2. A
// sphere bounces on planes without friction, by Newton's law of impact.
#include <array>

#include "../../engines/engine.hpp"

using engine::Vector;
using State = std::array<double, 13>; // x, e, v, w

struct Free : engine::Engine {
    Vector J, g;
    State y;
    std::vector<engine::Shape> shapes;

    const char *hello() const override {
        return R"({"name": "free", "version": "1", "order": 2, "state": "pure", "contacts": true})";
    }

    void world(const engine::Json &world, const engine::Json &) override {
        const engine::World given = engine::read_world(world, {});
        if (given.planar || given.bodies.size() != 1) throw engine::Refuse("it has one body in space");
        shapes = engine::touching(world, given, 32);
        for (const engine::Shape &shape : shapes)
            if (shape.type == "box" || shape.friction > 0) throw engine::Refuse("it has spheres without friction");
        J = given.bodies[0].inertia;
        g = given.gravity;
    }

    void set(double, const engine::Rows &poses, const engine::Rows &twists) override {
        for (std::size_t k = 0; k < 7; k++) y[k] = poses[0][k];
        for (std::size_t k = 0; k < 6; k++) y[7 + k] = twists[0][k];
    }

    static Vector cross(const Vector &a, const Vector &b) {
        return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    }

    State rate(const State &s) const {
        const double *e = &s[3], *w = &s[10];
        const engine::Quaternion to_space = {e[0], e[1], e[2], e[3]}, to_body = {e[0], -e[1], -e[2], -e[3]};
        const Vector local = engine::turned(to_body, {w[0], w[1], w[2]}),
                     torque = cross({J[0] * local[0], J[1] * local[1], J[2] * local[2]}, local),
                     turn = engine::turned(to_space, {torque[0] / J[0], torque[1] / J[1], torque[2] / J[2]});
        const Vector we = cross({w[0], w[1], w[2]}, {e[1], e[2], e[3]});
        State out;
        for (std::size_t k = 0; k < 3; k++) {
            out[k] = s[7 + k];
            out[4 + k] = 0.5 * (w[k] * e[0] + we[k]);
            out[7 + k] = g[k];
            out[10 + k] = turn[k];
        }
        out[3] = -0.5 * (w[0] * e[1] + w[1] * e[2] + w[2] * e[3]);
        return out;
    }

    void bounce(const engine::Shape &plane, const engine::Shape &ball) {
        double gap = -ball.radius, rate = 0;
        for (std::size_t k = 0; k < 3; k++) {
            gap += plane.normal[k] * (y[k] - plane.point[k]);
            rate += plane.normal[k] * y[7 + k];
        }
        for (std::size_t k = 0; k < 3 && gap < 0 && rate < 0; k++) y[7 + k] -= (1 + plane.restitution) * rate * plane.normal[k];
    }

    void step(double h, engine::Rows &poses, engine::Rows &twists) override {
        State half = y;
        const State first = rate(y);
        for (std::size_t k = 0; k < 13; k++) half[k] += 0.5 * h * first[k];
        const State second = rate(half);
        for (std::size_t k = 0; k < 13; k++) y[k] += h * second[k];
        const double length = std::sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5] + y[6] * y[6]);
        for (std::size_t k = 3; k < 7; k++) y[k] /= length;
        for (const engine::Shape &plane : shapes)
            for (const engine::Shape &ball : shapes)
                if (plane.type == "plane" && ball.type == "sphere" && (plane.bits & ball.bits) != 0) bounce(plane, ball);
        poses = {{y.begin(), y.begin() + 7}};
        twists = {{y.begin() + 7, y.end()}};
    }
};

int main() {
    Free free;
    return engine::run(free);
}
