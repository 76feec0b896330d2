package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.OPERATOR;

import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.BodyLimits;
import io.lazuli.server.http.BodySink;
import io.lazuli.server.http.BodySource;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.StreamedBody;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.job.Job;
import io.lazuli.server.job.JobErrors;
import io.lazuli.server.job.JobFiles;
import io.lazuli.server.job.JobResult;
import io.lazuli.server.job.Jobs;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The routes for the files of jobs. They leave as attachments without a type, so that what is in
 * them never runs on the origin of the console.
 */
public final class JobFileRoutes {
  private static final long PACE_BYTES = 1 << 20;
  private static final Duration PACE_TIME = Duration.ofMinutes(2);

  private final Jobs jobs;
  private final WorkerPool workers;

  /**
   * @param workers the threads of the console, which transfer the bytes
   */
  public JobFileRoutes(Jobs jobs, WorkerPool workers) {
    this.jobs = jobs;
    this.workers = workers;
  }

  public List<Route> routes() {
    return List.of(
        Route.of(
            "upload-file", "PUT /accounts/{a}/files", OPERATOR, Route.Body.STREAM, this::upload),
        Route.of(
            "job-result",
            "GET /accounts/{a}/jobs/{j}/result",
            OPERATOR,
            Route.Body.LINK,
            this::result));
  }

  private CompletionStage<Response> upload(Call call) {
    long length = call.request().content().length();
    if (length < 0) {
      throw CommonErrors.MISSING_CONTENT_LENGTH_HEADER.exception();
    }
    if (length > JobFiles.FILE_BYTES_MAX) {
      throw CommonErrors.REQUEST_BODY_TOO_LARGE.exception();
    }
    jobs.makeRoomForFile();
    JobFiles files = jobs.files();
    String id = files.newId();
    files.note(id, call.account(), -1);
    return call.request().content().stream(
            new BodyLimits(length, PACE_BYTES, PACE_TIME),
            new Sink(files, id, call.account(), length),
            workers)
        .thenApply(
            done ->
                JsonOut.answer(
                    201,
                    json -> {
                      json.writeStringField("file", id);
                      json.writeNumberField("bytes", length);
                    }));
  }

  /** Cuts a body into chunks of the same length. */
  private static final class Sink implements BodySink<Boolean> {
    private final JobFiles files;
    private final String id;
    private final String account;
    private final long length;
    private final ByteBuffer chunk = ByteBuffer.allocate(JobFiles.CHUNK_BYTES);
    private int number;

    Sink(JobFiles files, String id, String account, long length) {
      this.files = files;
      this.id = id;
      this.account = account;
      this.length = length;
    }

    @Override
    public CompletionStage<@Nullable Void> take(ByteBuffer bytes) {
      while (bytes.hasRemaining()) {
        int count = Math.min(bytes.remaining(), chunk.remaining());
        chunk.put(bytes.slice().limit(count));
        bytes.position(bytes.position() + count);
        if (!chunk.hasRemaining()) {
          flush();
        }
      }
      return CompletableFuture.completedFuture(null);
    }

    private void flush() {
      files.put(id, number++, Arrays.copyOf(chunk.array(), chunk.position()));
      chunk.clear();
    }

    @Override
    public Boolean end() {
      if (chunk.position() > 0) {
        flush();
      }
      files.note(id, account, length);
      return true;
    }

    @Override
    public void abort() {
      files.remove(id);
    }
  }

  private CompletionStage<Response> result(Call call) {
    Job job = jobs.find(call.account(), call.name("j"));
    JobResult result = job.result();
    if (result == null || jobs.files().find(job.id()) == null) {
      throw JobErrors.NO_RESULT.exception();
    }
    Response.Builder out =
        Response.of(200)
            .header("Content-Type", "application/octet-stream")
            .header("Content-Disposition", "attachment; filename=\"" + result.name() + "\"");
    return CompletableFuture.completedFuture(
        result.bytes() == 0
            ? out.build()
            : out.body(
                    new StreamedBody.Pulled(
                        new Source(jobs.files(), job.id()), result.bytes(), workers))
                .build());
  }

  /** Streams the chunks of a file. */
  private static final class Source implements BodySource {
    private final JobFiles files;
    private final String id;
    private ByteBuffer chunk = ByteBuffer.allocate(0);
    private int number;

    Source(JobFiles files, String id) {
      this.files = files;
      this.id = id;
    }

    @Override
    public CompletionStage<@Nullable Void> read(ByteBuffer target) {
      if (!chunk.hasRemaining()) {
        byte[] next = files.get(id, number++);
        if (next == null) {
          throw JobErrors.NO_RESULT.exception();
        }
        chunk = ByteBuffer.wrap(next);
      }
      int count = Math.min(target.remaining(), chunk.remaining());
      target.put(chunk.slice().limit(count));
      chunk.position(chunk.position() + count);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
      chunk = ByteBuffer.allocate(0);
    }
  }
}
