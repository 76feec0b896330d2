/**
 * Typed entities: the mapping between table entities and records, classes and sealed families of
 * them. Begin with {@link io.lazuli.client.entity.EntityCodec#of}.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.entity;
