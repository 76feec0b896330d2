/**
 * Key design: recognises the guide's anti-patterns in keys and names the remedy.
 *
 * <p>{@link io.lazuli.client.pattern.keydesign.KeyDesign} checks sample keys and queries before a
 * program exists; {@link io.lazuli.client.pattern.keydesign.KeyWatch} checks the requests of a
 * running program. Both have the same rules: inserts at the end or at the start of a table, a
 * single hot partition, and queries that touch many partitions. {@code docs/patterns/keydesign.md}
 * lists the bounds.
 *
 * <p>Costs: a check of keys sends nothing. A watch counts each request and looks into at most about
 * 1,000 a second; its memory is bounded. When not to use it: the watch sees the requests of one
 * process. It does not know what other processes insert, and which partitions the table has.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.keydesign;
