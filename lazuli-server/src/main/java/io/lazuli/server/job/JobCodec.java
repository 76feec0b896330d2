package io.lazuli.server.job;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs as bytes. A version comes first, so that a later server can read the jobs of this one. */
final class JobCodec {
  private static final int VERSION = 1;

  private JobCodec() {}

  static byte[] encode(Job job) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 10);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(job.id());
      out.writeLong(job.version());
      out.writeUTF(job.account());
      out.writeUTF(job.kind());
      write(out, job.parameters());
      out.writeUTF(job.user());
      write(out, job.created());
      out.writeUTF(job.state().name());
      out.writeUTF(job.wish().name());
      out.writeBoolean(job.asks());
      write(out, job.cursor());
      JobProgress progress = job.progress();
      out.writeUTF(progress.unit());
      out.writeLong(progress.done());
      out.writeLong(progress.of());
      out.writeBoolean(progress.exact());
      out.writeLong(progress.perSecond());
      out.writeUTF(job.message());
      Instant ended = job.ended();
      write(out, ended == null ? Instant.EPOCH : ended);
      JobResult result = job.result();
      out.writeBoolean(result != null);
      if (result != null) {
        out.writeUTF(result.name());
        out.writeLong(result.bytes());
        out.writeInt(result.chunks());
      }
      out.writeUTF(job.owner());
      write(out, job.lease());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Job decode(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    int format = in.readByte();
    if (format != VERSION) {
      throw new IOException("a job of version " + format);
    }
    String id = in.readUTF();
    long version = in.readLong();
    return new Job(
        new Job.Order(id, in.readUTF(), in.readUTF(), map(in), in.readUTF(), time(in)),
        version,
        JobState.valueOf(in.readUTF()),
        JobState.valueOf(in.readUTF()),
        in.readBoolean(),
        map(in),
        new JobProgress(
            in.readUTF(), in.readLong(), in.readLong(), in.readBoolean(), in.readLong()),
        in.readUTF(),
        end(time(in)),
        in.readBoolean() ? new JobResult(in.readUTF(), in.readLong(), in.readInt()) : null,
        new Job.Hold(in.readUTF(), time(in)));
  }

  private static @Nullable Instant end(Instant time) {
    return time.equals(Instant.EPOCH) ? null : time;
  }

  private static void write(DataOutputStream out, Map<String, String> texts) throws IOException {
    out.writeInt(texts.size());
    for (Map.Entry<String, String> each : texts.entrySet()) {
      out.writeUTF(each.getKey());
      out.writeUTF(each.getValue());
    }
  }

  private static Map<String, String> map(DataInputStream in) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      texts.put(in.readUTF(), in.readUTF());
    }
    return texts;
  }

  private static void write(DataOutputStream out, Instant time) throws IOException {
    out.writeLong(time.toEpochMilli());
  }

  private static Instant time(DataInputStream in) throws IOException {
    return Instant.ofEpochMilli(in.readLong());
  }
}
