// The dialogue of an engine with stepbench (docs/adding-an-engine.md), for engines in JavaScript (Node 18 or later).
//
//     import { run, Refuse, Fail } from './engine.mjs';
//     run({
//         hello: { name: 'mine', version: '1', order: 1, state: 'pure' },
//         world(world, parameters) {},      // builds the model, or: throw new Refuse('why not'); may be async
//         set(time, poses, twists) {},      // sets the state of all bodies
//         step(h) {},                       // takes one step and returns { poses, twists } or { poses, twists, wrenches },
//     });                                   // or: throw new Fail('why not')
//
// In the plane a pose is [x, y, angle] and a twist [x', y', angle']; in space [x, y, z, e0, e1, e2, e3] with a unit
// quaternion (scalar first, body to space), and [x', y', z', wx, wy, wz] with the angular velocity in space.
// Engines whose state is 'opaque' have two more: state() returns its bytes, restore(bytes) is called after set.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

export class Refuse extends Error {} // the engine does not take this world
export class Fail extends Error {} // the engine cannot take this step

async function answer(engine, message) {
    const opaque = engine.hello.state === 'opaque';
    const state = () => (opaque ? { state: Buffer.from(engine.state()).toString('hex') } : {});
    switch (message.message) {
        case 'hello':
            return engine.hello;
        case 'world':
            await engine.world(message.world, message.parameters);
            return { ok: true };
        case 'set':
            engine.set(message.time, message.poses, message.twists);
            if (opaque && 'state' in message) engine.restore(Buffer.from(message.state, 'hex'));
            return { ok: true, ...state() };
        default:
            return { ...engine.step(message.h), ...state() };
    }
}

// Answers to all messages, until the end. What the engine logs goes to the standard error.
export async function run(engine) {
    console.log = console.info = console.debug = console.error;
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
        const message = JSON.parse(line);
        if (message.message === 'end') break;
        let reply;
        try {
            reply = await answer(engine, message);
        } catch (why) {
            if (why instanceof Refuse) reply = { refuse: why.message };
            else if (why instanceof Fail) reply = { fail: why.message };
            else throw why;
        }
        const bytes = Buffer.from(JSON.stringify(reply) + '\n');
        for (let sent = 0; sent < bytes.length; ) sent += writeSync(1, bytes, sent);
    }
    process.exit(0);
}

// Returns the joints, or refuses those of another type than the known ones.
export function joints(world, ...known) {
    for (const { type } of world.joints ?? []) {
        if (!known.includes(type)) throw new Refuse(`it has no ${type} joint`);
    }
    return world.joints ?? [];
}

// Refuses a world that has something in one of these lists: 'springs', 'drivers', 'forces'.
export function refuseLists(world, ...names) {
    for (const name of names) {
        if (world[name]?.length > 0) throw new Refuse(`it has no ${name}`);
    }
}

// Refuses distance joints of bodies that turn, away from their centres.
export function refuseRods(world) {
    for (const { type, bodies, points } of world.joints ?? []) {
        if (type === 'distance' && bodies.some((name, k) => name !== 'ground' && points[k].some((x) => x !== 0))) {
            throw new Refuse('it has no distance joint away from the centre of a body');
        }
    }
}

// Refuses bodies that have no inertia about some axes only.
export function refuseThin(world) {
    for (const body of Object.values(world.bodies)) {
        const thin = inertiaInSpace(body).some((J) => J === 0);
        if (thin) throw new Refuse('it has no body that turns without inertia about an axis');
    }
}

// Returns the shapes that touch, each with the friction and restitution of its contacts, and in `bits` a bit per contact:
// two shapes touch if they share a bit. Refuses more than `most` contacts, other types than the known ones, and a shape
// whose contacts differ in a coefficient, for engines that have coefficients of shapes.
export function touching(world, most, ...known) {
    const contacts = world.contacts ?? [];
    if (contacts.length > most) throw new Refuse(`its bits distinguish ${most} pairs of shapes`);
    return Object.entries(world.shapes ?? {}).flatMap(([name, shape]) => {
        const mine = contacts.filter((contact) => contact.shapes.includes(name));
        if (mine.length === 0) return [];
        if (!known.includes(shape.type)) throw new Refuse(`its contacts have no ${shape.type}`);
        if (shape.type === 'plane' && shape.body !== 'ground') throw new Refuse('its planes are fixed in the ground');
        const [{ friction, restitution }] = mine;
        if (mine.some((other) => other.friction !== friction || other.restitution !== restitution)) {
            throw new Refuse('each of its shapes has one friction and one restitution');
        }
        const bits = contacts.reduce((sum, contact, k) => sum + (contact.shapes.includes(name) ? 2 ** k : 0), 0);
        return [{ name, ...shape, friction, restitution, bits }];
    });
}

// Returns two points of a plane's edge in the plane, 20 m to both sides of its point, with the material at its right.
export const edge = ({ point, normal: [x, y] }) => [-20, 20].map((far) => plus(point, [y, -x], far / Math.hypot(x, y)));

// Returns the sides of a box, in the plane with a thickness.
export const sidesInSpace = ({ size }) => [...size, size[0]].slice(0, 3);

// Returns the answer of a step from states that an engine has in space, for a world of this dimension.
export function answerInSpace(poses, twists, planar, wrenches) {
    return planar ? answerFinite(poses.map(poseInPlane), twists.map(twistInPlane), wrenches?.map(twistInPlane))
        : answerFinite(poses, twists, wrenches);
}

// Returns the answer of a step. Fails if the state is not finite.
export function answerFinite(poses, twists, wrenches) {
    if (!poses.flat().every(Number.isFinite)) throw new Fail('its state is not finite');
    return { poses, twists, wrenches };
}

// Vectors, poses and twists of the plane in space, for engines that have space only, and back.
export const vectorInSpace = (a) => [...a, 0, 0, 0].slice(0, 3);
export const poseInSpace = (p) => (p.length === 7 ? p : [p[0], p[1], 0, Math.cos(p[2] / 2), 0, 0, Math.sin(p[2] / 2)]);
export const twistInSpace = (u) => (u.length === 6 ? u : [u[0], u[1], 0, 0, 0, u[2]]);
const poseInPlane = (p) => [p[0], p[1], 2 * Math.atan2(p[6], p[3])];
const twistInPlane = (u) => [u[0], u[1], u[5]];

// Returns the inertia of a body about its three axes. A particle gets one that nothing depends on.
export const inertiaInSpace = ({ mass, inertia }) => {
    const J = Array.isArray(inertia) ? inertia : [inertia, inertia, inertia];
    return J.every((x) => x === 0) ? [mass, mass, mass] : J;
};

// ---- Vectors, and quaternions, scalar first. ----

export const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
export const plus = (a, b, c = 1) => a.map((x, k) => x + c * b[k]);
export const scaled = (a, c) => a.map((x) => c * x);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const conj = (e) => [e[0], -e[1], -e[2], -e[3]];
export const product = (a, b) => {
    const u = a.slice(1), v = b.slice(1);
    return [a[0] * b[0] - dot(u, v), ...plus(plus(scaled(v, a[0]), scaled(u, b[0])), cross(u, v))];
};
export const turn = (e, a) => product(product(e, [0, ...a]), conj(e)).slice(1);
export const rotation = (axis, angle) => [Math.cos(angle / 2), ...scaled(axis, Math.sin(angle / 2))];
export const unit = (a) => scaled(a, 1 / Math.sqrt(dot(a, a)));
// Returns the shortest rotation that turns one vector into the direction of another one.
export const facing = (from, to) => {
    const [a, b] = [unit(from), unit(vectorInSpace(to))], c = 1 + dot(a, b);
    return c > 1e-12 ? unit([c, ...cross(a, b)]) : [0, ...across(a)];
};
// Returns a unit vector across another one.
export const across = (a) => {
    const least = Math.min(...a.map(Math.abs)), k = a.findIndex((x) => Math.abs(x) === least);
    return unit(cross(a, [0, 1, 2].map((i) => (i === k ? 1 : 0))));
};
