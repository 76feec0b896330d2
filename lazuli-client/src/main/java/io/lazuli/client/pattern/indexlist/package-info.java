/**
 * Index entities: lists of keys by a value that several entities share, such as the ids of the
 * employees with a last name. A lookup costs one request for the list and one for each entity on
 * it, in parallel, instead of a scan of the partition.
 *
 * <h2>Where the lists are</h2>
 *
 * <ol>
 *   <li>In blobs, of any size: {@link
 *       io.lazuli.client.pattern.indexlist.AsyncKeyListIndex#inBlobs}. An outbox updates the lists
 *       after their entities, and they converge.
 *   <li>In entities of the same partition: {@link
 *       io.lazuli.client.pattern.indexlist.AsyncListedTable}. One entity group transaction writes
 *       the entity and its lists, three entities for a rename, so they never disagree.
 *   <li>In entities of another partition or table: {@link
 *       io.lazuli.client.pattern.indexlist.AsyncKeyListIndex#inTable}, updated by an outbox like
 *       blobs.
 * </ol>
 *
 * <p>An entity can contain a list of 983,040 bytes: 140,000 keys of six letters in the same
 * partition, fewer where lists have both parts of each key. Larger lists go to blobs, each of which
 * is written once; the entity names the current blob, so that the guarantees stay the same.
 *
 * <h2>Costs</h2>
 *
 * <p>In the same partition, an insertion costs two requests, a rename four, a deletion three, and
 * any other change two. With an outbox, a change costs the client four requests, and the worker
 * three for the entity's list and three for a list that the entity left.
 *
 * <h2>When not to use it</h2>
 *
 * <p>Every change of a list writes the whole list, and changes of one list happen one after the
 * other. If many entities share a value and change often, copies with the value as prefix of their
 * row keys, as in the package {@code index}, are better.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.indexlist;
