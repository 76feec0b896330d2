/**
 * Index entities: lists of keys by a value that several entities share, such as the ids of the
 * employees of a last name. Looking one up costs a request for the list and one for each entity on
 * it, in parallel, in place of a scan of the partition.
 *
 * <h2>Three places for the lists</h2>
 *
 * <ol>
 *   <li>In blobs, of any size: {@link
 *       io.lazuli.client.pattern.indexlist.AsyncKeyListIndex#inBlobs}. The lists follow their
 *       entities through an outbox, and converge.
 *   <li>In entities of the same partition: {@link
 *       io.lazuli.client.pattern.indexlist.AsyncListedTable}. One entity group transaction writes
 *       the entity and its lists, at a rename three entities, so they never disagree.
 *   <li>In entities of another partition or table: {@link
 *       io.lazuli.client.pattern.indexlist.AsyncKeyListIndex#inTable}, as with blobs.
 * </ol>
 *
 * <p>An entity holds a list of 983,040 bytes: 140,000 keys of six letters in the same partition,
 * fewer where lists have both parts of each key. Larger ones go to blobs, which are written once
 * each; the entity names the one in force, so that the promises stay what they are.
 *
 * <h2>Costs</h2>
 *
 * <p>In the same partition, an insertion costs two requests, a rename four, a deletion three, a
 * change of anything else two. With an outbox, a change costs the client four, and the worker three
 * for the list that the entity is on and three for the one that it left.
 *
 * <h2>When not</h2>
 *
 * <p>Every change of a list writes the whole list, and changes of one list are made one after the
 * other. Where many entities share a value and change often, copies with the value as prefix of
 * their row keys, as in the package {@code index}, are better.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.indexlist;
