/**
 * Tables of typed entities: every operation, blocking ({@link io.lazuli.client.table.Table}) and
 * reactive ({@link io.lazuli.client.table.AsyncTable}).
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.table;
