package io.lazuli.storage;

/**
 * A test that an engine may apply to records where they are stored, to send fewer of them. It only
 * saves work: the visitor checks every record that it is shown.
 *
 * @param condition in the form that {@link io.lazuli.storage.entity.EntityCondition} reads; holds
 *     for every record that it cannot read
 * @param matchesMax the number of matching records after which the visitor needs the next record,
 *     whether it matches or not; positive
 * @param recordsExpected about how many records the scan will examine before the visitor has
 *     enough, if matches are as frequent as they were so far
 */
public record RecordTest(Bytes condition, int matchesMax, long recordsExpected) {}
