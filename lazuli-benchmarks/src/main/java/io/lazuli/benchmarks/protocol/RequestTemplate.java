package io.lazuli.benchmarks.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A rendered request whose keys and numbers can be overwritten in place, so that nothing is
 * rendered or signed while the clock runs. Mutable; one per connection.
 */
public final class RequestTemplate {
  private static final Pattern PARTITION = Pattern.compile("PartitionKey(?:=|\":)['\"]p");
  private static final Pattern ROW = Pattern.compile("RowKey(?:=|\":)['\"]r");
  private static final Pattern NUMBER = Pattern.compile("\"Number\":");

  private final byte[] bytes;
  private final int[] partitions;
  private final int[] rows;
  private final int[] numbers;

  RequestTemplate(String request) {
    bytes = request.getBytes(StandardCharsets.US_ASCII);
    partitions = offsets(request, PARTITION);
    rows = offsets(request, ROW);
    numbers = offsets(request, NUMBER);
  }

  /** Returns the request for consecutive rows of one partition, starting with the given row. */
  public ByteBuffer fill(long partition, long firstRow) {
    for (int offset : partitions) {
      put(offset, SampleEntity.PARTITION_DIGITS, partition);
    }
    for (int i = 0; i < rows.length; i++) {
      put(rows[i], SampleEntity.ROW_DIGITS, firstRow + i);
    }
    for (int i = 0; i < numbers.length; i++) {
      put(numbers[i], SampleEntity.NUMBER_DIGITS, SampleEntity.number(firstRow + i));
    }
    return ByteBuffer.wrap(bytes);
  }

  private void put(int offset, int width, long value) {
    long left = value;
    for (int i = offset + width - 1; i >= offset; i--) {
      bytes[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }

  private static int[] offsets(String request, Pattern pattern) {
    Matcher matcher = pattern.matcher(request);
    IntStream.Builder offsets = IntStream.builder();
    while (matcher.find()) {
      offsets.add(matcher.end());
    }
    return offsets.build().toArray();
  }
}
