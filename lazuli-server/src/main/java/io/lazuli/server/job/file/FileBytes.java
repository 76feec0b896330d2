package io.lazuli.server.job.file;

import io.lazuli.server.job.JobFailure;
import io.lazuli.server.job.JobFiles;

/** Reads an uploaded file byte by byte, a chunk at a time. */
public final class FileBytes {
  static final int END = -1;

  private final JobFiles files;
  private final String id;
  private final long length;
  private byte[] chunk = new byte[0];
  private long chunkStart;
  private long position;

  public FileBytes(JobFiles files, String id, long length) {
    this.files = files;
    this.id = id;
    this.length = length;
  }

  public long length() {
    return length;
  }

  long position() {
    return position;
  }

  void seek(long place) {
    position = place;
  }

  /** Returns the next byte without taking it, or END. */
  int peek() {
    if (position >= length) {
      return END;
    }
    if (position < chunkStart || position >= chunkStart + chunk.length) {
      int number = Math.toIntExact(position / JobFiles.CHUNK_BYTES);
      byte[] next = files.get(id, number);
      if (next == null) {
        throw new JobFailure("The uploaded file is not there any more.");
      }
      chunk = next;
      chunkStart = (long) number * JobFiles.CHUNK_BYTES;
    }
    return chunk[(int) (position - chunkStart)] & 0xff;
  }

  int take() {
    int b = peek();
    if (b != END) {
      position++;
    }
    return b;
  }
}
