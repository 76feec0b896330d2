package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.storage.Partition;

/**
 * An upload that a block list has ended. Its blocks are garbage, except those that the list names.
 *
 * @param partition the partition of the blob
 * @param content the content that the list made
 */
public record EndedUpload(Partition partition, Upload upload, BlobContent content) {}
