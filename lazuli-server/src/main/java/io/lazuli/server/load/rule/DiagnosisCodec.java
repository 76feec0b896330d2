package io.lazuli.server.load.rule;

import io.lazuli.server.load.count.SpaceName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Diagnoses as bytes. */
public final class DiagnosisCodec {
  private static final int VERSION = 1;

  private DiagnosisCodec() {}

  public static byte[] encode(List<Diagnosis> diagnoses) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      out.writeInt(diagnoses.size());
      for (Diagnosis one : diagnoses) {
        write(out, one);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, Diagnosis one) throws IOException {
    Symptom symptom = one.symptom();
    out.writeUTF(symptom.kind().key());
    out.writeUTF(symptom.space().account());
    out.writeUTF(symptom.space().service());
    out.writeUTF(symptom.space().name());
    out.writeUTF(symptom.partition());
    out.writeUTF(symptom.level().text());
    out.writeDouble(symptom.figure());
    out.writeUTF(symptom.fact());
    out.writeInt(symptom.evidence().size());
    for (Evidence evidence : symptom.evidence()) {
      out.writeUTF(evidence.label());
      out.writeUTF(evidence.value());
      out.writeUTF(evidence.bound());
    }
    out.writeLong(one.since().getEpochSecond());
    out.writeLong(one.lastSeen().getEpochSecond());
    Instant over = one.over();
    out.writeLong(over == null ? 0 : over.getEpochSecond());
  }

  /**
   * Decodes diagnoses. They are not silenced.
   *
   * @throws IOException if the bytes are not diagnoses
   */
  public static List<Diagnosis> decode(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    List<Diagnosis> found = new ArrayList<>();
    if (in.readByte() != VERSION) {
      return found;
    }
    for (int left = in.readInt(); left > 0; left--) {
      found.add(read(in));
    }
    return found;
  }

  private static Diagnosis read(DataInputStream in) throws IOException {
    Kind kind;
    try {
      kind = Kind.of(in.readUTF());
    } catch (IllegalArgumentException e) {
      throw new IOException(e);
    }
    SpaceName space = new SpaceName(in.readUTF(), in.readUTF(), in.readUTF());
    String partition = in.readUTF();
    Level level = Level.of(in.readUTF());
    double figure = in.readDouble();
    String fact = in.readUTF();
    List<Evidence> evidence = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      evidence.add(new Evidence(in.readUTF(), in.readUTF(), in.readUTF()));
    }
    Instant since = Instant.ofEpochSecond(in.readLong());
    Instant lastSeen = Instant.ofEpochSecond(in.readLong());
    long over = in.readLong();
    @Nullable Instant ended = over == 0 ? null : Instant.ofEpochSecond(over);
    return new Diagnosis(
        new Symptom(kind, space, partition, level, figure, fact, evidence),
        since,
        lastSeen,
        ended,
        null);
  }
}
