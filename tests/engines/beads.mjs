// A small engine for the tests: particles on distance joints, by symplectic Euler with projections (hlw06 VII.1), and
// spheres that bounce on planes without friction, by Newton's law of impact.
import { Refuse, joints, refuseLists, run, touching, unit } from '../../engines/engine.mjs';

let gravity, masses, links, planes, x, v;
const dot = (a, b) => a.reduce((sum, y, k) => sum + y * b[k], 0);

// The vector from end to end of a link.
function along(link) {
    const at = (side) => (link.body[side] < 0 ? link.point[side] : x[link.body[side]]);
    return at(1).map((y, k) => y - at(0)[k]);
}

// Gauss-Seidel sweeps over the links: `wanted` is the missing rate of the length of each.
function sweep(target, wanted) {
    for (let k = 0; k < 10000; k++) {
        let largest = 0;
        for (const link of links) {
            const d = along(link), l = Math.sqrt(dot(d, d)), n = d.map((y) => y / l);
            const inverse = link.body.map((b) => (b < 0 ? 0 : 1 / masses[b]));
            const push = wanted(link, n, l) / (inverse[0] + inverse[1]);
            largest = Math.max(largest, Math.abs(push * (inverse[0] + inverse[1])));
            link.body.forEach((b, side) => {
                if (b >= 0) target[b] = target[b].map((y, i) => y + (side ? 1 : -1) * push * inverse[side] * n[i]);
            });
        }
        if (largest < 1e-15) break;
    }
}

const level = (link, n) => {
    const rate = (side) => (link.body[side] < 0 ? 0 : dot(v[link.body[side]], n));
    return rate(0) - rate(1);
};

let planar;
run({
    hello: { name: 'beads', version: '1', order: 1, state: 'pure', keeps: ['position'], contacts: true },
    world(world) {
        const names = Object.keys(world.bodies);
        refuseLists(world, 'springs', 'drivers', 'forces');
        planar = world.gravity.length === 2;
        gravity = world.gravity;
        masses = names.map((name) => world.bodies[name].mass);
        links = joints(world, 'distance').map((joint) => ({
            body: joint.bodies.map((name) => names.indexOf(name)), point: joint.points, length: joint.length,
        }));
        const shapes = touching(world, 32, 'plane', 'sphere');
        if (shapes.some(({ friction }) => friction > 0)) throw new Refuse('it has no friction');
        planes = shapes.filter(({ type }) => type === 'plane').flatMap((plane) => shapes
            .filter(({ type, bits }) => type === 'sphere' && (bits & plane.bits)).map(({ body, radius }) => ({
                b: names.indexOf(body), n: unit(plane.normal), point: plane.point, radius, e: plane.restitution,
            })));
    },
    set(time, poses, twists) {
        const size = gravity.length;
        x = poses.map((pose) => pose.slice(0, size));
        v = twists.map((twist) => twist.slice(0, size));
    },
    step(h) {
        v = v.map((u) => u.map((y, k) => y + h * gravity[k]));
        sweep(v, level);
        x = x.map((y, b) => y.map((z, k) => z + h * v[b][k]));
        sweep(x, (link, n, l) => link.length - l);
        sweep(v, level);
        for (const { b, n, point, radius, e } of planes) {
            const gap = dot(n, x[b].map((y, k) => y - point[k])) - radius, rate = dot(n, v[b]);
            if (gap < 0 && rate < 0) v[b] = v[b].map((y, k) => y - (1 + e) * rate * n[k]);
        }
        return {
            poses: x.map((y) => (planar ? [...y, 0] : [...y, 1, 0, 0, 0])),
            twists: v.map((y) => (planar ? [...y, 0] : [...y, 0, 0, 0])),
        };
    },
});
