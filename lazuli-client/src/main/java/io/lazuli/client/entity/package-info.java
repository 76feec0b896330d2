/**
 * Typed entities: the mapping between table entities and records, classes and sealed families of
 * them. Begin with {@link io.lazuli.client.entity.EntityCodec#of}.
 *
 * <p>The package has more than 30 types, because there is no part that does not need the others:
 * {@code EntityCodec.of} creates mappings, and mappings read the annotations and are codecs. Ten
 * types are annotations.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.entity;
