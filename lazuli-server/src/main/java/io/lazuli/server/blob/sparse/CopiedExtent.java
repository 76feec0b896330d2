package io.lazuli.server.blob.sparse;

import io.lazuli.server.blob.page.PageExtent;

/**
 * An extent of a copy that is not stored yet.
 *
 * @param pages the pages of the copy; those whose place is not a chunk have the bytes
 * @param bytes one page after another; empty if all pages are in chunks
 */
public record CopiedExtent(long extent, PageExtent pages, byte[] bytes) {}
