// Jolt Physics by its WebAssembly build, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/jolt.mjs' drift -p rod_chain -p heavy_top -s jolt:velocity_steps=50 --h 1/240
//
// Its joints are solved by sweeps over the velocities, which begin with the impulses of the last step, then over the
// positions. The impulses cannot be set, so its state is `none`. Its numbers are single. Every body that touches has one
// shape and a layer of its own, and the pairs of layers say what touches. Jolt combines frictions by their geometric mean
// and takes the larger restitution; both bodies have those of the contact.
import load from 'jolt-physics/wasm-compat';

import { Refuse, across, answerInSpace, conj, dot, inertiaInSpace, joints, poseInSpace, refuseLists, refuseThin, run,
    sidesInSpace, touching, turn, twistInSpace, unit, vectorInSpace } from './engine.mjs';

const Jolt = await load();
let planar, given, options, shapes, jolt, bodies;
const vector = (a) => new Jolt.Vec3(...vectorInSpace(a)), position = (a) => new Jolt.RVec3(...vectorInSpace(a));

// Makes the system. Layer 0 touches nothing.
function start() {
    const count = 1 + shapes.length;
    const settings = new Jolt.JoltSettings(), pairs = new Jolt.ObjectLayerPairFilterTable(count);
    const layers = new Jolt.BroadPhaseLayerInterfaceTable(count, 1);
    for (let k = 0; k < count; k++) layers.MapObjectToBroadPhaseLayer(k, new Jolt.BroadPhaseLayer(0));
    shapes.forEach(({ bits }, i) => shapes.slice(0, i).forEach((other, k) => {
        if (bits & other.bits) pairs.EnableCollision(1 + i, 1 + k);
    }));
    Object.assign(settings, {
        mMaxBodies: 1024, mMaxBodyPairs: 1024, mMaxContactConstraints: 1024, mObjectLayerPairFilter: pairs,
        mBroadPhaseLayerInterface: layers,
        mObjectVsBroadPhaseLayerFilter: new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, count),
    });
    if (jolt) Jolt.destroy(jolt);
    jolt = new Jolt.JoltInterface(settings);
    const system = jolt.GetPhysicsSystem(), physics = system.GetPhysicsSettings();
    system.SetGravity(vector(given.gravity));
    Object.assign(physics, {
        mNumVelocitySteps: Number(options.velocity_steps), mNumPositionSteps: Number(options.position_steps),
        mBaumgarte: Number(options.baumgarte), mConstraintWarmStart: options.warm_start === 'yes', mAllowSleeping: false,
    });
    system.SetPhysicsSettings(physics);
    return system;
}

function shapeOf({ type, point, normal, radius, size }) {
    if (type === 'plane') return new Jolt.PlaneShape(new Jolt.Plane(vector(unit(normal)), -dot(unit(normal), point)));
    if (point.some((x) => x !== 0)) throw new Refuse('its shapes have their centres at the centres of mass');
    if (type === 'sphere') return new Jolt.SphereShape(radius);
    const half = sidesInSpace({ size }).map((side) => side / 2); // whose edges Jolt rounds by 0.05 m where that fits
    return new Jolt.BoxShape(vector(half), Math.min(0.05, ...half));
}

// Sets the coefficients of a body that touches, and returns its layer.
function touch(settings, shape) {
    if (shape) Object.assign(settings, { mFriction: shape.friction, mRestitution: shape.restitution });
    return 1 + shapes.indexOf(shape);
}

function addPlane(system, shape) {
    const settings = new Jolt.BodyCreationSettings(shapeOf(shape), position([]), new Jolt.Quat(0, 0, 0, 1),
        Jolt.EMotionType_Static, 0);
    settings.mObjectLayer = touch(settings, shape);
    system.GetBodyInterface().CreateAndAddBody(settings, Jolt.EActivation_DontActivate);
}

function body(system, name, { mass, ...rest }, [x, y, z, e0, ...e], u) {
    const shape = shapes.find((one) => one.body === name);
    const settings = new Jolt.BodyCreationSettings(shape ? shapeOf(shape) : new Jolt.SphereShape(0.01),
        new Jolt.RVec3(x, y, z), new Jolt.Quat(...e, e0), Jolt.EMotionType_Dynamic, 0);
    settings.mObjectLayer = touch(settings, shape);
    if (planar && given.contacts) settings.mAllowedDOFs = Jolt.EAllowedDOFs_Plane2D;
    // Jolt's own: damping 0.05/s of both velocities, at most 47 rad/s, and no gyroscopic torque.
    Object.assign(settings, {
        mLinearDamping: 0, mAngularDamping: 0, mMaxLinearVelocity: 1e9, mMaxAngularVelocity: 1e9, mApplyGyroscopicForce: true,
        mAllowSleeping: false, mLinearVelocity: vector(u.slice(0, 3)), mAngularVelocity: vector(u.slice(3)),
    });
    const made = system.GetBodyInterface().CreateBody(settings), motion = made.GetMotionProperties();
    motion.SetInverseMass(1 / mass);
    motion.SetInverseInertia(vector(inertiaInSpace({ mass, ...rest }).map((J) => 1 / J)), new Jolt.Quat(0, 0, 0, 1));
    system.GetBodyInterface().AddBody(made.GetID(), Jolt.EActivation_Activate);
    return made;
}

function constraint({ type, points, axes, length }, [eA, eB]) {
    const kinds = { distance: 'Distance', spherical: 'Point', revolute: planar ? 'Point' : 'Hinge', prismatic: 'Slider' };
    const settings = new Jolt[`${kinds[type]}ConstraintSettings`]();
    Object.assign(settings, {
        mSpace: Jolt.EConstraintSpace_LocalToBodyCOM, mPoint1: position(points[0]), mPoint2: position(points[1]),
    });
    if (type === 'distance') Object.assign(settings, { mMinDistance: length, mMaxDistance: length });
    if (!axes) return settings;
    const [a, b] = axes.map(vectorInSpace), normal = across(a); // the same in space for both bodies
    const name = type === 'prismatic' ? 'mSliderAxis' : 'mHingeAxis';
    Object.assign(settings, {
        [`${name}1`]: vector(a), [`${name}2`]: vector(b), mNormalAxis1: vector(normal),
        mNormalAxis2: vector(turn(conj(eB), turn(eA, normal))),
    });
    return settings;
}

run({
    hello: {
        name: 'jolt',
        version: '1.1.0',
        brief: 'Jolt Physics: sweeps over velocities, then over positions, in single precision',
        order: 1,
        state: 'none',
        contacts: true,
        precision: 32,
        parameters: [
            { name: 'velocity_steps', default: 10, range: [1, 255], doc: 'sweeps over the velocities' },
            { name: 'position_steps', default: 2, range: [0, 255], doc: 'sweeps over the positions' },
            { name: 'substeps', default: 1, range: [1, 1000], doc: 'steps of Jolt per step' },
            { name: 'baumgarte', default: 0.2, range: [0, 1], doc: 'part of an error of position removed per sweep' },
            { name: 'warm_start', default: 'yes', choices: ['yes', 'no'], doc: 'whether sweeps begin with the last impulses' },
        ],
    },
    world(world, parameters) {
        refuseLists(world, 'springs', 'drivers', 'forces');
        joints(world, 'distance', 'revolute', 'spherical', 'prismatic');
        refuseThin(world);
        planar = world.gravity.length === 2;
        [given, options, shapes] = [world, parameters, touching(world, 31, 'plane', 'sphere', 'box')];
        const owners = shapes.map((shape) => shape.body).filter((name) => name !== 'ground');
        if (new Set(owners).size < owners.length) throw new Refuse('its bodies have one shape each');
    },
    set(time, poses, twists) {
        const system = start(), at = {}, attitude = {};
        bodies = Object.entries(given.bodies).map(([name, each], k) => {
            attitude[name] = poseInSpace(poses[k]).slice(3);
            at[name] = body(system, name, each, poseInSpace(poses[k]), twistInSpace(twists[k]));
            return at[name];
        });
        for (const shape of shapes) if (shape.type === 'plane') addPlane(system, shape);
        for (const joint of given.joints ?? []) {
            const [a, b] = joint.bodies.map((name) => at[name] ?? Jolt.Body.prototype.sFixedToWorld);
            const made = constraint(joint, joint.bodies.map((name) => attitude[name] ?? [1, 0, 0, 0])).Create(a, b);
            system.AddConstraint(made);
        }
    },
    step(h) {
        jolt.Step(h, Number(options.substeps));
        const numbers = (v) => [v.GetX(), v.GetY(), v.GetZ()];
        const poses = bodies.map((b) => {
            const x = numbers(b.GetPosition()), e = b.GetRotation();
            return [...x, e.GetW(), e.GetX(), e.GetY(), e.GetZ()];
        });
        const twists = bodies.map((b) => [...numbers(b.GetLinearVelocity()), ...numbers(b.GetAngularVelocity())]);
        return answerInSpace(poses, twists, planar);
    },
});
