/**
 * Compound keys: several values in one key, such as {@code empid_000123_2012}, so that entities
 * which are read together lie next to each other and one range query fetches them.
 *
 * <p>{@link io.lazuli.client.pattern.key.KeyFormat} makes such a key of a record and reads it back.
 * What it promises:
 *
 * <ul>
 *   <li>{@code parse(format(x))} equals {@code x}, whatever text the parts hold: the separator and
 *       what no key may hold ({@code / \ # ?} and control characters) are escaped.
 *   <li>Keys are ordered by their first part, then by their second, and so on. This holds for
 *       numbers, which have a fixed width, and for texts of equal length. Of two texts of which one
 *       begins with the other, the separator decides: {@code -} sorts before letters and digits,
 *       {@code _} and {@code |} do not.
 *   <li>A query for the first parts finds the entities that have these, and no others.
 * </ul>
 *
 * <p>It sends nothing; a range query costs one request for each 1,000 entities. When not to use it:
 * a value that changes does not belong in a key, since an entity cannot change its key, only be
 * inserted anew and deleted.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.key;
