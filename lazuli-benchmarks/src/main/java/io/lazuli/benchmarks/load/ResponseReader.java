package io.lazuli.benchmarks.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the responses of one connection, one after another, and parses only what is necessary: the
 * status, the length, and as much of the body as its owner requested. Mutable; owned by one thread.
 */
public final class ResponseReader {
  private static final int HEAD_BYTES_MAX = 16 << 10;
  private static final int CHUNK_LINE_BYTES_MAX = 1 << 10;
  private static final int STATUS_OFFSET = "HTTP/1.1 ".length();

  private enum State {
    HEAD,
    BODY,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    TRAILER,
    DONE
  }

  private final byte[] head = new byte[HEAD_BYTES_MAX];
  private final byte[] kept;
  private State state = State.HEAD;
  private int headLength;
  private int keptLength;
  private int lineLength;
  private int status;
  private long left;
  private long bodyBytes;

  /**
   * Creates a reader.
   *
   * @param bodyBytesKept the number of bytes that are kept from the start of each body
   */
  public ResponseReader(int bodyBytesKept) {
    this.kept = new byte[bodyBytesKept];
  }

  /** Discards the last response, ready for the next. */
  public void reset() {
    state = State.HEAD;
    headLength = 0;
    keptLength = 0;
    lineLength = 0;
    left = 0;
    bodyBytes = 0;
  }

  /**
   * Reads bytes up to the end of the current response. Returns true when the response is complete.
   */
  public boolean read(ByteBuffer in) throws IOException {
    while (state != State.DONE && in.hasRemaining()) {
      switch (state) {
        case HEAD -> readHead(in);
        case BODY -> readBody(in, State.DONE);
        case CHUNK_SIZE -> readChunkSize(in);
        case CHUNK -> readBody(in, State.CHUNK_END);
        case CHUNK_END -> readChunkEnd(in);
        case TRAILER -> readTrailer(in);
        case DONE -> throw new IllegalStateException("done");
      }
    }
    return state == State.DONE;
  }

  public int status() {
    return status;
  }

  public boolean succeeded() {
    return status / 100 == 2;
  }

  /** Returns the length of the body, without the framing of chunks. */
  public long bodyBytes() {
    return bodyBytes;
  }

  /** Returns the kept start of the body. */
  public String body() {
    return new String(kept, 0, keptLength, StandardCharsets.UTF_8);
  }

  /** Returns the value of a header; the name is case-insensitive. */
  public Optional<String> header(String name) {
    int line = endOfLine(0);
    while (line < headLength) {
      int end = endOfLine(line);
      if (nameAt(line, end, name)) {
        return Optional.of(
            new String(
                    head,
                    line + name.length() + 1,
                    end - line - name.length() - 1,
                    StandardCharsets.ISO_8859_1)
                .trim());
      }
      line = end;
    }
    return Optional.empty();
  }

  /** Returns the status and the kept start of the body, for messages. */
  @Override
  public String toString() {
    return status + " " + body();
  }

  private void readHead(ByteBuffer in) throws IOException {
    while (in.hasRemaining()) {
      if (headLength == head.length) {
        throw new IOException("a response head of more than " + head.length + " bytes");
      }
      byte next = in.get();
      head[headLength++] = next;
      if (next == '\n' && endsWithEmptyLine()) {
        beginBody();
        return;
      }
    }
  }

  private boolean endsWithEmptyLine() {
    return headLength >= 4
        && head[headLength - 2] == '\r'
        && head[headLength - 3] == '\n'
        && head[headLength - 4] == '\r';
  }

  private void beginBody() throws IOException {
    status = digits(STATUS_OFFSET, STATUS_OFFSET + 3);
    Optional<String> length = header("content-length");
    if (length.isPresent()) {
      left = Long.parseLong(length.get());
      state = left == 0 ? State.DONE : State.BODY;
    } else if (header("transfer-encoding").filter("chunked"::equalsIgnoreCase).isPresent()) {
      state = State.CHUNK_SIZE;
    } else if (status == 204 || status == 304) {
      state = State.DONE;
    } else {
      throw new IOException("a response without length: " + headText());
    }
  }

  private void readBody(ByteBuffer in, State next) {
    int taken = (int) Math.min(left, in.remaining());
    int copied = Math.min(taken, kept.length - keptLength);
    in.get(kept, keptLength, copied);
    in.position(in.position() + taken - copied);
    keptLength += copied;
    bodyBytes += taken;
    left -= taken;
    if (left == 0) {
      state = next;
    }
  }

  private void readChunkSize(ByteBuffer in) throws IOException {
    byte next = in.get();
    if (next == '\n') {
      state = left == 0 ? State.TRAILER : State.CHUNK;
      lineLength = 0;
    } else if (++lineLength > CHUNK_LINE_BYTES_MAX) {
      throw new IOException("a chunk size of more than " + CHUNK_LINE_BYTES_MAX + " bytes");
    } else if (next != '\r') {
      int digit = Character.digit(next, 16);
      if (digit < 0) {
        throw new IOException("not a chunk size: character " + next);
      }
      left = left * 16 + digit;
    }
  }

  private void readChunkEnd(ByteBuffer in) {
    if (in.get() == '\n') {
      state = State.CHUNK_SIZE;
    }
  }

  /** Skips trailers up to the empty line. */
  private void readTrailer(ByteBuffer in) {
    byte next = in.get();
    if (next == '\n') {
      state = lineLength == 0 ? State.DONE : State.TRAILER;
      lineLength = 0;
    } else if (next != '\r') {
      lineLength++;
    }
  }

  private int endOfLine(int from) {
    int at = from;
    while (at < headLength && head[at] != '\n') {
      at++;
    }
    return Math.min(at + 1, headLength);
  }

  private boolean nameAt(int line, int end, String name) {
    if (end - line <= name.length() || head[line + name.length()] != ':') {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.toLowerCase((char) head[line + i]) != Character.toLowerCase(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private int digits(int from, int to) throws IOException {
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(head[i], 10);
      if (i >= headLength || digit < 0) {
        throw new IOException("not a status line: " + headText());
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private String headText() {
    return new String(head, 0, headLength, StandardCharsets.ISO_8859_1).strip();
  }
}
