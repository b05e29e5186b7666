// Matter.js, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/matter.mjs' order -p pendulum -p rod_chain -s matter:iterations=20
//
// Bodies move by Verlet's rule in positions; sweeps then move them towards the joints, beginning with a part of the last
// corrections, which belong to the state. A step shorter than 1/60 s makes its joints softer. The rotation and the
// translation by a correction are those of one impulse only where 1/inertia is small beside 1/mass, as in pixels it is.
import matter from 'matter-js';

import { Refuse, answerFinite, joints, refuseLists, run } from './engine.mjs';

const { Bodies, Body, Composite, Constraint, Engine } = matter, most = 128;
let system, bodies, pins, pixels;
const vector = ([x, y]) => ({ x: pixels * x, y: pixels * y });

function makeBody(mass, inertia) {
    // Nothing collides, and there is no friction of the air, Matter's own is 0.01 per step.
    const body = Bodies.circle(0, 0, 0.01, { frictionAir: 0, collisionFilter: { mask: 0 } });
    Body.setMass(body, mass);
    Body.setInertia(body, (inertia || mass) * pixels ** 2); // nothing depends on that of a particle
    return body;
}

run({
    hello: {
        name: 'matter',
        version: '0.20.0',
        brief: 'Matter.js: Verlet in positions, and sweeps of corrections',
        order: 1,
        state: 'opaque',
        bytes: 24 * most,
        parameters: [
            { name: 'iterations', default: 2, range: [1, 100000], doc: 'sweeps over the joints, twice per step' },
            { name: 'stiffness', type: 'real', default: 1, range: [0, 1], doc: 'part of an error of position removed per sweep' },
            { name: 'pixels', default: 100, range: [1e-6, 1e6], unit: '1/m', doc: "Matter's unit of length" },
        ],
    },
    world(world, { iterations, stiffness, pixels: unit }) {
        pixels = Number(unit);
        if (world.gravity.length !== 2) throw new Refuse('it has the plane only');
        refuseLists(world, 'springs', 'drivers', 'forces');
        const names = Object.keys(world.bodies);
        if (names.length > most) throw new Refuse(`this adapter holds the corrections of ${most} bodies`);
        const gravity = { ...vector(world.gravity), scale: 1e-6 }; // per ms^2
        system = Engine.create({ gravity, constraintIterations: Number(iterations) });
        bodies = Object.values(world.bodies).map(({ mass, inertia }) => makeBody(mass, inertia));
        pins = joints(world, 'distance', 'revolute').map(({ type, bodies: ends, points, length }) => {
            const [bodyA, bodyB] = ends.map((name) => bodies[names.indexOf(name)]), [pointA, pointB] = points.map(vector);
            const pin = Constraint.create({ bodyA, bodyB, pointA, pointB, stiffness: Number(stiffness) });
            pin.length = type === 'distance' ? pixels * length : 0;
            return { pin, points };
        });
        Composite.add(system.world, [...bodies, ...pins.map(({ pin }) => pin)]);
    },
    set(time, poses, twists) {
        bodies.forEach((body, k) => {
            Object.assign(body.position, vector(poses[k])); // setPosition adds a difference, with its round-off
            body.angle = poses[k][2];
            body.twist = twists[k];
            Object.assign(body.constraintImpulse, { x: 0, y: 0, angle: 0 });
        });
        for (const { pin, points } of pins) { // whose points turn with the bodies
            for (const [side, point] of [['A', points[0]], ['B', points[1]]]) {
                const angle = pin[`body${side}`]?.angle ?? 0, [c, s] = [Math.cos(angle), Math.sin(angle)];
                pin[`angle${side}`] = angle;
                pin[`point${side}`] = vector([c * point[0] - s * point[1], s * point[0] + c * point[1]]);
            }
        }
    },
    state() {
        const out = new Float64Array(3 * most);
        bodies.forEach(({ constraintImpulse: { x, y, angle } }, k) => out.set([x, y, angle], 3 * k));
        return out.buffer;
    },
    restore(bytes) {
        const from = new Float64Array(new Uint8Array(bytes).buffer);
        bodies.forEach(({ constraintImpulse }, k) => {
            [constraintImpulse.x, constraintImpulse.y, constraintImpulse.angle] = from.subarray(3 * k, 3 * k + 3);
        });
    },
    step(h) {
        for (const body of bodies) { // the position before is that of the velocity
            const { position: at, twist } = body;
            body.positionPrev = { x: at.x - pixels * h * twist[0], y: at.y - pixels * h * twist[1] };
            body.anglePrev = body.angle - h * body.twist[2];
            body.deltaTime = 1000 * h;
        }
        Engine.update(system, 1000 * h);
        const poses = bodies.map(({ position: { x, y }, angle }) => [x / pixels, y / pixels, angle]);
        const twists = bodies.map(({ position: x, positionPrev: old, angle, anglePrev }) =>
            [(x.x - old.x) / pixels / h, (x.y - old.y) / pixels / h, (angle - anglePrev) / h]);
        return answerFinite(poses, twists);
    },
});
