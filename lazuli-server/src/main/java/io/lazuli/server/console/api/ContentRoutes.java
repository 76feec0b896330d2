package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.EDITOR;
import static io.lazuli.server.console.session.Role.READER;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlock;
import io.lazuli.server.blob.service.BlobOperation.PutBlockList;
import io.lazuli.server.blob.service.BlobOperation.ReadBlockList;
import io.lazuli.server.blob.service.BlobOutcome;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobOutcome.BlocksFound;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlock;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlocks;
import io.lazuli.server.blob.service.BlobReader;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.blob.service.BlobUpload;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.BodyLimits;
import io.lazuli.server.http.BodySink;
import io.lazuli.server.http.BodySource;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.StreamedBody;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.storage.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The routes for the content of blobs. Content always leaves as an attachment without a type, so
 * that a stored page never runs on the origin of the console.
 */
public final class ContentRoutes {
  /** The maximum bytes of a block, and of a blob that is uploaded as a whole. */
  public static final long BLOCK_BYTES_MAX = 4 << 20;

  private static final int BLOCKS_MAX = 50_000;
  private static final Duration BLOCK_TIME_MAX = Duration.ofMinutes(2);

  private final BlobService service;
  private final BlobRoutes blobs;
  private final WorkerPool workers;

  /**
   * @param workers the threads of the console, which transfer the bytes
   */
  public ContentRoutes(BlobService service, BlobRoutes blobs, WorkerPool workers) {
    this.service = service;
    this.blobs = blobs;
    this.workers = workers;
  }

  public List<Route> routes() {
    String container = "/accounts/{a}/containers/{c}";
    return List.of(
        Route.of("content", "GET " + container + "/content", READER, Route.Body.LINK, this::read),
        Route.of(
            "upload", "PUT " + container + "/content", EDITOR, Route.Body.STREAM, this::upload),
        Route.of("blocks", "GET " + container + "/blocks", READER, this::blocks),
        Route.of(
            "upload-block",
            "PUT " + container + "/blocks",
            EDITOR,
            Route.Body.STREAM,
            this::uploadBlock),
        Route.of("commit-blocks", "POST " + container + "/blocks", EDITOR, this::commit));
  }

  private CompletionStage<Response> read(Call call) {
    String given = call.parameter("range");
    ByteRange range = null;
    if (given != null) {
      range = ByteRange.parse("bytes=" + given);
      if (range == null) {
        throw ConsoleErrors.badRequest("The range is like 0-1023 or 1024-.");
      }
    }
    BlobAddress at = BlobRoutes.address(call);
    return service
        .execute(
            new GetBlob(at, BlobRoutes.state(call), range, RequestTerms.NONE),
            call.caller(),
            call.deadline())
        .thenApply(
            outcome -> {
              if (!(outcome instanceof BlobOpened opened)) {
                throw BlobErrors.INVALID_RANGE.exception();
              }
              return answer(opened);
            });
  }

  private Response answer(BlobOpened opened) {
    ByteRange range = opened.range();
    Response.Builder out =
        Response.of(range == null ? 200 : 206)
            .header("Content-Type", "application/octet-stream")
            .header("Content-Disposition", "attachment");
    if (range != null) {
      out.header("Content-Range", range.contentRange(opened.properties().content().length()));
    }
    BlobReader content = opened.content();
    if (content.length() == 0) {
      content.close();
      return out.build();
    }
    return out.body(new StreamedBody.Pulled(new Source(content), content.length(), workers))
        .build();
  }

  /** Streams a reader as the body of an answer. */
  private record Source(BlobReader content) implements BodySource {
    @Override
    public CompletionStage<@Nullable Void> read(ByteBuffer target) {
      return content.read(target);
    }

    @Override
    public void close() {
      content.close();
    }
  }

  private CompletionStage<Response> upload(Call call) {
    return stream(
        call,
        new PutBlob(
            BlobRoutes.address(call),
            BlobType.BLOCK,
            settings(call.parameter("type")),
            terms(call),
            length(call),
            ExpectedChecksums.NONE));
  }

  private CompletionStage<Response> uploadBlock(Call call) {
    BlockId id = BlockId.requireParameter(call.require("id").replace(' ', '+'));
    return stream(
        call,
        new PutBlock(BlobRoutes.address(call), id, null, length(call), ExpectedChecksums.NONE));
  }

  private static long length(Call call) {
    long length = call.request().content().length();
    if (length < 0) {
      throw CommonErrors.MISSING_CONTENT_LENGTH_HEADER.exception();
    }
    BlobOperation.Upload.requireLength(length, BLOCK_BYTES_MAX);
    return length;
  }

  private static BlobSettings settings(@Nullable String type) {
    String checked = BlobJson.header(type);
    HttpProperties http =
        checked == null
            ? HttpProperties.DEFAULT
            : new HttpProperties(checked, null, null, null, null, null);
    return new BlobSettings(http, Map.of(), BlobTags.NONE, null);
  }

  private static RequestTerms terms(Call call) {
    ETagCondition none =
        ETagCondition.parse("If-None-Match", call.request().header("If-None-Match"));
    ETagCondition match = ETagCondition.parse("If-Match", call.request().header("If-Match"));
    return new RequestTerms(new Conditions(match, none, null, null), null);
  }

  private CompletionStage<Response> stream(Call call, BlobOperation.Upload operation) {
    BodyLimits limits = new BodyLimits(operation.length(), BLOCK_BYTES_MAX, BLOCK_TIME_MAX);
    return service
        .upload(operation, call.caller(), call.deadline())
        .thenCompose(upload -> call.request().content().stream(limits, new Sink(upload), workers))
        .thenCompose(stage -> stage)
        .thenComposeAsync(
            done ->
                operation instanceof PutBlock
                    ? CompletableFuture.completedFuture(Response.of(201).build())
                    : blobs.found(call, null, 201),
            call.workers());
  }

  /** Passes a body on to an upload. */
  private record Sink(BlobUpload upload) implements BodySink<CompletionStage<BlobOutcome>> {
    @Override
    public CompletionStage<@Nullable Void> take(ByteBuffer bytes) {
      return upload.take(bytes);
    }

    @Override
    public CompletionStage<BlobOutcome> end() {
      return upload.end(Deadline.after(Duration.ofSeconds(30)));
    }

    @Override
    public void abort() {
      upload.abort();
    }
  }

  private CompletionStage<Response> blocks(Call call) {
    return service
        .execute(
            new ReadBlockList(BlobRoutes.address(call), null, false, true, RequestTerms.NONE),
            call.caller(),
            call.deadline())
        .thenApply(
            outcome -> {
              ListedBlocks found = ((BlocksFound) outcome).uncommitted();
              return JsonOut.answer(
                  200,
                  json -> {
                    json.writeArrayFieldStart("blocks");
                    if (found != null) {
                      for (ListedBlock block : found) {
                        json.writeStartObject();
                        json.writeStringField("id", block.id().text());
                        json.writeNumberField("bytes", block.length());
                        json.writeEndObject();
                      }
                    }
                    json.writeEndArray();
                  });
            });
  }

  private CompletionStage<Response> commit(Call call) {
    JsonBody body = call.json("ids", "type");
    List<String> ids = body.texts("ids");
    if (ids == null || ids.size() > BLOCKS_MAX) {
      throw ConsoleErrors.badRequest("A blob has at most 50,000 blocks.");
    }
    List<BlockListEntry> entries =
        ids.stream()
            .map(id -> new BlockListEntry(BlockListEntry.Source.LATEST, BlockId.requireListed(id)))
            .toList();
    return service
        .execute(
            new PutBlockList(
                BlobRoutes.address(call), entries, settings(body.text("type")), terms(call)),
            call.caller(),
            call.deadline())
        .thenComposeAsync(done -> blobs.found(call, null, 201), call.workers());
  }
}
