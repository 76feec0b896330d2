/**
 * Typed entities: how records, beans and sealed families of them become table entities and come
 * back. Begin with {@link io.lazuli.client.entity.EntityCodec#of}.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.entity;
