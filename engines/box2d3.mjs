// Box2D 3 by its WebAssembly build box2d3-wasm, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/box2d3.mjs' drift -p rod_chain -s box2d3:substeps=16 --h 1/240
//
// A step has sub-steps of one sweep over soft joints and one without their softness. The sweeps begin with the impulses of
// the last sub-step. They cannot be set, so its state is `none`. Its numbers are single. Planes are segments of 40 m.
// Box2D combines frictions by their geometric mean and takes the larger restitution; both shapes have those of the contact.
import load from 'box2d3-wasm';

import { Refuse, answerFinite, edge, joints, refuseLists, run, touching } from './engine.mjs';

const b2 = await load();
let given, options, system, bodies;
const vector = ([x, y]) => new b2.b2Vec2(x, y);
// Box2D's own sine, cosine and arc tangent are approximations.
const rotation = (angle) => Object.assign(new b2.b2Rot(), { c: Math.cos(angle), s: Math.sin(angle) });

function body(definition, mass, inertia) {
    const made = b2.b2CreateBody(system, definition), data = new b2.b2MassData();
    Object.assign(data, { mass, rotationalInertia: inertia || mass }); // nothing depends on that of a particle
    b2.b2Body_SetMassData(made, data);
    return made;
}

function start(poses, twists) {
    const definition = b2.b2DefaultWorldDef();
    Object.assign(definition, { gravity: vector(given.gravity), enableSleep: false, maximumLinearSpeed: 1e9 }); // not 400 m/s
    if (system) b2.b2DestroyWorld(system);
    system = b2.b2CreateWorld(definition);
    b2.b2World_EnableWarmStarting(system, options.warm_start === 'yes');
    const at = { ground: b2.b2CreateBody(system, b2.b2DefaultBodyDef()) };
    bodies = Object.entries(given.bodies).map(([name, { mass, inertia }], k) => {
        const each = b2.b2DefaultBodyDef();
        Object.assign(each, {
            type: b2.b2BodyType.b2_dynamicBody, position: vector(poses[k]), rotation: rotation(poses[k][2]),
            linearVelocity: vector(twists[k]), angularVelocity: twists[k][2], enableSleep: false,
            allowFastRotation: true, // its own bounds the rotation per sub-step
        });
        at[name] = body(each, mass, inertia);
        return at[name];
    });
    for (const joint of given.joints ?? []) add(joint, at);
    for (const shape of touching(given, 31, 'plane', 'sphere', 'box')) addShape(shape, at[shape.body]);
}

function addShape({ type, point, normal, radius, size, friction, restitution, bits }, to) {
    const definition = b2.b2DefaultShapeDef();
    Object.assign(definition, { density: 0, updateBodyMass: false });
    Object.assign(definition.material, { friction, restitution });
    Object.assign(definition.filter, { categoryBits: bits, maskBits: bits });
    if (type === 'plane') {
        const segment = new b2.b2Segment();
        [segment.point1, segment.point2] = edge({ point, normal }).map(vector);
        b2.b2CreateSegmentShape(to, definition, segment);
    } else if (type === 'sphere') {
        const circle = new b2.b2Circle();
        Object.assign(circle, { center: vector(point), radius });
        b2.b2CreateCircleShape(to, definition, circle);
    } else {
        const box = b2.b2MakeOffsetBox(size[0] / 2, size[1] / 2, vector(point), rotation(0));
        b2.b2CreatePolygonShape(to, definition, box);
    }
}

function add({ type, bodies: names, points, axes, length }, at) {
    const kind = { distance: 'Distance', revolute: 'Revolute', prismatic: 'Prismatic' }[type];
    const definition = b2[`b2Default${kind}JointDef`]();
    [definition.base.bodyIdA, definition.base.bodyIdB] = names.map((name) => at[name] ?? at.ground);
    [definition.base.localFrameA, definition.base.localFrameB].forEach((frame, k) => {
        frame.p = vector(points[k]);
        if (axes) frame.q = rotation(Math.atan2(axes[k][1], axes[k][0]));
    });
    if (type === 'distance') definition.length = length;
    b2[`b2Create${kind}Joint`](system, definition);
}

run({
    hello: {
        name: 'box2d3',
        version: '5.2.0',
        brief: 'Box2D 3: sub-steps of one sweep over soft joints, in single precision',
        order: 1,
        state: 'none',
        contacts: true,
        precision: 32,
        parameters: [
            { name: 'substeps', default: 4, range: [1, 1000], doc: 'of a step' },
            { name: 'warm_start', default: 'yes', choices: ['yes', 'no'], doc: 'whether sweeps begin with the last impulses' },
        ],
    },
    world(world, parameters) {
        if (world.gravity.length !== 2) throw new Refuse('it has the plane only');
        refuseLists(world, 'springs', 'drivers', 'forces');
        joints(world, 'distance', 'revolute', 'prismatic');
        [given, options] = [world, parameters];
    },
    set: (time, poses, twists) => start(poses, twists),
    step(h) {
        b2.b2World_Step(system, h, Number(options.substeps));
        const poses = bodies.map((each) => {
            const { x, y } = b2.b2Body_GetPosition(each);
            const { c, s } = b2.b2Body_GetRotation(each);
            return [x, y, Math.atan2(s, c)];
        });
        const twists = bodies.map((each) => {
            const { x, y } = b2.b2Body_GetLinearVelocity(each);
            return [x, y, b2.b2Body_GetAngularVelocity(each)];
        });
        return answerFinite(poses, twists);
    },
});
