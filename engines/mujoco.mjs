// MuJoCo by its WebAssembly build @mujoco/mujoco, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/mujoco.mjs' order -p pendulum -p heavy_top -s mujoco:integrator=RK4
//
// MuJoCo has the coordinates of joints. The bodies become a tree: a body moves relative to the body of the first joint
// that holds it. Joints that close loops become equality constraints, which MuJoCo makes soft. A particle on a distance
// joint becomes a point mass on a massless rod. Shapes are geoms that touch in the pairs of the contacts only, with their
// friction. Restitution is no parameter of MuJoCo, whose contacts are soft.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import load from '@mujoco/mujoco';

import { Fail, Refuse, conj, cross, dot, facing, plus, product, refuseLists, rotation, run, scaled, sidesInSpace, touching,
    turn, unit, vectorInSpace as space } from './engine.mjs';

console.log = console.error;
const require = createRequire(import.meta.url);
const mujoco = await load({ wasmBinary: readFileSync(require.resolve('@mujoco/mujoco/mujoco.wasm')) });

// ---- The tree. ----

const ground = { x: [0, 0, 0], e: [1, 0, 0, 0], v: [0, 0, 0], w: [0, 0, 0], name: 'ground', children: [] };
let planar, bodies, order, loops, model, data, root;

// Sets the state of a body from a pose and a twist.
function place(body, pose, twist) {
    body.x = space(pose.slice(0, planar ? 2 : 3));
    body.e = planar ? rotation([0, 0, 1], pose[2]) : pose.slice(3);
    body.v = space(twist.slice(0, planar ? 2 : 3));
    body.w = planar ? [0, 0, twist[2]] : twist.slice(3);
    body.angle = pose[2];
}

// Hangs a body on another one by the joint, or lets it move freely.
function hang(child, parent, joint, side) {
    const point = joint && joint.points.map(space), axes = joint?.axes?.map(space).map(unit);
    Object.assign(child, { parent, kind: joint?.type ?? 'free', children: [] });
    parent.children.push(child);
    child.pos = turn(conj(parent.e), plus(child.x, parent.x, -1));
    child.quat = product(conj(parent.e), child.e);
    if (!joint) return;
    child.anchor = point[side]; // in the child
    if (child.kind === 'distance') { // the rod is a part of the child, which turns about the point of the parent
        const from = plus(parent.x, turn(parent.e, point[1 - side]));
        child.anchor = turn(conj(child.e), plus(from, child.x, -1));
        child.kind = planar ? 'revolute' : 'spherical';
        child.rod = true;
    }
    child.hold = turn(conj(parent.e), plus(plus(child.x, turn(child.e, child.anchor)), parent.x, -1)); // in the parent
    if (child.kind === 'revolute') child.axis = planar ? [0, 0, 1] : axes[side];
    if (child.kind === 'prismatic') child.axis = axes[side];
    if (child.kind === 'universal') {
        child.first = turn(conj(child.quat), axes[1 - side]); // both as they are at the start, in the child
        child.axis = axes[side];
    }
}

function makeTree(world) {
    bodies = Object.entries(world.bodies).map(([name, given]) => ({ name, given }));
    const of = (name) => bodies.find((body) => body.name === name) ?? ground;
    const particle = (body) => body === ground || [body.given.inertia].flat().every((J) => J === 0);
    for (const body of bodies) {
        const g = body.given;
        place(body, [...g.position, ...[planar ? g.angle : g.quaternion].flat()], [...g.velocity, ...[g.rate].flat()]);
    }
    ground.children = [];
    loops = [...(world.joints ?? [])];
    for (const placed = new Set([ground]); placed.size <= bodies.length; ) {
        const joint = loops.find(({ bodies: [a, b] }) => placed.has(of(a)) !== placed.has(of(b)));
        const side = joint && placed.has(of(joint.bodies[0])) ? 1 : 0;
        const child = joint ? of(joint.bodies[side]) : bodies.find((body) => !placed.has(body));
        if (joint?.type === 'distance' && !particle(child)) throw new Refuse('it has no distance joint of a body that turns');
        hang(child, joint ? of(joint.bodies[1 - side]) : ground, joint, side);
        loops = loops.filter((other) => other !== joint);
        placed.add(child);
    }
    for (const joint of loops) {
        if (joint.type !== 'revolute' && joint.type !== 'spherical') throw new Refuse(`it closes no loop by a ${joint.type} joint`);
    }
}

// ---- The model. ----

const text = (...x) => x.flat().join(' ');

function bodyXml(body, k) {
    const { mass, inertia } = body.given, id = bodies.indexOf(body);
    let J = planar ? [inertia, inertia, inertia] : [...inertia];
    // A rod has no inertia of its own, and MuJoCo needs some.
    if (J.every((x) => x === 0)) J = J.map(() => 1e-10 * mass * (body.rod ? dot(body.anchor, body.anchor) : 1));
    const joint = (type, axis, at = body.anchor ?? [0, 0, 0]) =>
        `<joint type="${type}" pos="${text(at)}"${axis ? ` axis="${text(axis)}"` : ''}/>`;
    const joints = {
        free: () => planar ? joint('slide', turn(conj(body.quat), [1, 0, 0])) +
            joint('slide', turn(conj(body.quat), [0, 1, 0])) + joint('hinge', [0, 0, 1]) : '<freejoint/>',
        revolute: () => joint('hinge', body.axis),
        spherical: () => joint('ball'),
        prismatic: () => joint('slide', body.axis),
        universal: () => joint('hinge', body.first) + joint('hinge', body.axis),
    };
    order.push(body);
    return `<body name="b${id}" pos="${text(body.pos)}" quat="${text(body.quat)}">${joints[body.kind]()}` +
        `<inertial pos="0 0 0" mass="${mass}" diaginertia="${text(J)}"/>${sites(body)}${geoms(body)}` +
        `${body.children.map(bodyXml).join('')}</body>`;
}

let springs;
const sites = (body) => springs.flatMap(({ bodies: names, points }, k) => [0, 1].filter((s) => names[s] === body.name)
    .map((s) => `<site name="s${k}_${s}" pos="${text(space(points[s]))}"/>`)).join('');

let shapes;
const sizes = { plane: () => [0, 0, 1], sphere: ({ radius }) => [radius],
    box: (shape) => sidesInSpace(shape).map((side) => side / 2) };
const geoms = (body) => shapes.filter((shape) => shape.body === body.name).map((shape) => {
    const quat = shape.type === 'plane' ? facing([0, 0, 1], shape.normal) : [1, 0, 0, 0];
    return `<geom name="g_${shape.name}" type="${shape.type}" pos="${text(space(shape.point))}" quat="${text(quat)}" ` +
        `size="${text(sizes[shape.type](shape))}" mass="0" contype="0" conaffinity="0"/>`;
}).join('');

function pairXml({ shapes: [a, b], friction: mu, restitution }) {
    if (restitution > 0) throw new Refuse('it has no restitution');
    return `<pair geom1="g_${a}" geom2="g_${b}" friction="${mu} ${mu} 0 0 0" condim="3"/>`;
}

function loopXml(joint) {
    const [a, b] = joint.bodies.map((name) => bodies.find((body) => body.name === name) ?? ground);
    const name = (body) => (body === ground ? '' : `b${bodies.indexOf(body)}`);
    const [first, second] = a === ground ? [b, a] : [a, b];
    const points = [space(joint.points[a === ground ? 1 : 0])];
    if (!planar && joint.type === 'revolute') points.push(plus(points[0], unit(joint.axes[a === ground ? 1 : 0])));
    return points.map((x) => `<connect body1="${name(first)}" ${second === ground ? '' : `body2="${name(second)}"`} ` +
        `anchor="${text(x)}"/>`).join('');
}

function makeModel(world, { integrator, cone, impratio }) {
    springs = world.springs ?? [];
    shapes = touching({ ...world, contacts: world.contacts?.map((each) => ({ ...each, friction: 0 })) }, Infinity, 'plane',
        'sphere', 'box');
    order = [];
    const tree = ground.children.map(bodyXml).join('');
    const tendons = springs.map((s, k) => `<spatial stiffness="${s.stiffness}" damping="${s.damping}" ` +
        `springlength="${s.length}"><site site="s${k}_0"/><site site="s${k}_1"/></spatial>`).join('');
    const xml = `<mujoco><compiler angle="radian" autolimits="false"/><option gravity="${text(space(world.gravity))}" ` +
        `integrator="${integrator}" cone="${cone}" impratio="${impratio}" tolerance="0" iterations="200"/>` +
        `<worldbody>${sites(ground)}${geoms(ground)}${tree}</worldbody>` +
        `<contact>${(world.contacts ?? []).map(pairXml).join('')}</contact>` +
        `<tendon>${tendons}</tendon><equality>${loops.map(loopXml).join('')}</equality></mujoco>`;
    data?.delete();
    model?.delete();
    model = mujoco.MjModel.from_xml_string(xml);
    data = new mujoco.MjData(model);
}

// ---- The state, in the coordinates of the joints and back. ----

// Sets the attitude and rate of a particle that is the end of a rod: those of the shortest turn from the start.
function swing(c) {
    const from = unit(plus(c.pos, c.hold, -1)), arm = plus(c.x, plus(c.parent.x, turn(c.parent.e, c.hold)), -1);
    const to = turn(conj(c.parent.e), unit(arm)), middle = plus(from, to), square = dot(middle, middle);
    const half = square > 1e-20 ? [dot(from, unit(middle)), ...cross(from, unit(middle))] : [0, 0, 0, 1];
    const rate = plus(c.v, plus(c.parent.v, cross(c.parent.w, turn(c.parent.e, c.hold))), -1);
    c.e = product(c.parent.e, product(half, c.quat));
    c.w = scaled(cross(arm, rate), 1 / dot(arm, arm));
}

function write(qpos, qvel) {
    let q = 0, v = 0;
    const put = (x, u) => { x.forEach((y) => { qpos[q++] = y; }); u.forEach((y) => { qvel[v++] = y; }); };
    for (const c of order) {
        const { parent: p, kind } = c;
        if (c.rod) swing(c);
        const r = product(conj(c.quat), product(conj(p.e), c.e)), w = plus(c.w, p.w, -1), local = (x) => turn(conj(c.e), x);
        const angle = (axis) => 2 * Math.atan2(dot(r.slice(1), axis), r[0]), rate = (axis) => dot(local(w), axis);
        if (kind === 'free' && planar) put([c.x[0] - c.pos[0], c.x[1] - c.pos[1], angle([0, 0, 1])], [c.v[0], c.v[1], c.w[2]]);
        else if (kind === 'free') put([...c.x, ...c.e], [...c.v, ...local(c.w)]);
        else if (kind === 'spherical') put(r, local(w));
        else if (kind === 'revolute') put([angle(c.axis)], [rate(c.axis)]);
        else if (kind === 'universal') {
            const now = turn(conj(rotation(c.axis, angle(c.axis))), c.first); // the first axis in the turned child
            put([angle(c.first), angle(c.axis)], [rate(now), rate(c.axis)]);
        } else {
            const arm = plus(c.x, p.x, -1), axis = turn(c.quat, c.axis);
            put([dot(axis, plus(turn(conj(p.e), arm), c.pos, -1))],
                [dot(turn(p.e, axis), plus(plus(c.v, p.v, -1), cross(p.w, arm), -1))]);
        }
    }
}

function read(qpos, qvel) {
    let q = 0, v = 0;
    const take = (count) => Array.from(qpos.subarray(q, (q += count))), rates = (count) => Array.from(qvel.subarray(v, (v += count)));
    for (const c of order) {
        const p = c.parent, rest = product(p.e, c.quat);
        let spin = [0, 0, 0]; // of the child relative to its parent, in the child
        if (c.kind === 'free' && planar) {
            const [x, y, a] = take(3), [vx, vy, w] = rates(3);
            Object.assign(c, { x: plus(c.pos, [x, y, 0]), e: product(rest, rotation([0, 0, 1], a)), v: [vx, vy, 0], w: [0, 0, w] });
            continue;
        }
        if (c.kind === 'free') {
            Object.assign(c, { x: take(3), e: take(4), v: rates(3) });
            c.w = turn(c.e, rates(3));
            continue;
        }
        if (c.kind === 'prismatic') {
            const axis = turn(c.quat, c.axis), arm = turn(p.e, plus(c.pos, axis, take(1)[0]));
            Object.assign(c, { x: plus(p.x, arm), e: rest, w: p.w });
            c.v = plus(plus(p.v, cross(p.w, arm)), turn(p.e, axis), rates(1)[0]);
            continue;
        }
        if (c.kind === 'spherical') {
            c.e = product(rest, take(4));
            spin = rates(3);
        } else if (c.kind === 'revolute') {
            c.e = product(rest, rotation(c.axis, take(1)[0]));
            spin = scaled(c.axis, rates(1)[0]);
        } else {
            const [a, b] = take(2), [da, db] = rates(2);
            c.e = product(rest, product(rotation(c.first, a), rotation(c.axis, b)));
            spin = plus(scaled(turn(conj(rotation(c.axis, b)), c.first), da), c.axis, db);
        }
        c.w = plus(p.w, turn(c.e, spin));
        const hold = turn(p.e, c.hold), anchor = turn(c.e, c.anchor);
        c.x = plus(plus(p.x, hold), anchor, -1);
        c.v = plus(plus(p.v, cross(p.w, hold)), cross(c.w, anchor), -1);
    }
}

run({
    hello: {
        name: 'mujoco',
        version: mujoco.mj_versionString?.() ?? '3.14.0',
        brief: 'MuJoCo: coordinates of joints, and soft constraints where they close loops',
        order: 1,
        state: 'pure',
        contacts: true,
        parameters: [{
            name: 'integrator', default: 'Euler', choices: ['Euler', 'implicit', 'implicitfast', 'RK4'], orders: [1, 1, 1, 4],
            doc: 'of MuJoCo\'s option',
        }, {
            name: 'cone', default: 'pyramidal', choices: ['pyramidal', 'elliptic'], doc: 'of friction',
        }, {
            name: 'impratio', default: 1, range: [1e-6, 1e6], doc: 'stiffness of friction over that of normal forces',
        }],
    },
    world(world, parameters) {
        refuseLists(world, 'drivers', 'forces');
        planar = world.gravity.length === 2;
        makeTree(world);
        makeModel(world, parameters);
    },
    set(time, poses, twists) {
        mujoco.mj_resetData(model, data);
        bodies.forEach((body, k) => place(body, poses[k], twists[k]));
        write(data.qpos, data.qvel);
        data.time = time;
    },
    step(h) {
        model.opt.timestep = h;
        mujoco.mj_step(model, data);
        const qpos = data.qpos, qvel = data.qvel;
        if (!(Math.abs(qvel[0]) < Infinity)) throw new Fail('its state is not finite');
        read(qpos, qvel);
        const angle = (body) => 2 * Math.atan2(body.e[3], body.e[0]);
        return {
            poses: bodies.map((b) => (planar ? [b.x[0], b.x[1], angle(b)] : [...b.x, ...b.e])),
            twists: bodies.map((b) => (planar ? [b.v[0], b.v[1], b.w[2]] : [...b.v, ...b.w])),
        };
    },
});
