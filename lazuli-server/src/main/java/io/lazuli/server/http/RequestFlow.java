package io.lazuli.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.AsciiString;
import io.netty.util.AttributeKey;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.http1.VertxHttpRequestDecoder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection on their way from bytes to {@link Exchange}s. Mutable; belongs to
 * the connection's event loop.
 *
 * <h2>One request at a time</h2>
 *
 * The next head is decoded when the previous request has ended, and a body when somebody wants it.
 * Until then the bytes wait, and the connection is not read. A client may therefore send any number
 * of requests ahead; the connection holds one decoded head and one read of the socket.
 *
 * <h2>Memory of heads</h2>
 *
 * A decoded header takes far more heap than its bytes: 16,000 headers {@code a:} are 64 KB on the
 * wire and 2 MB as objects. A head is therefore charged with its bytes and {@link
 * #HEADER_COST_BYTES} for each line. The first {@link #FREE_HEAD_BYTES} belong to the connection
 * and are part of what a connection costs, so that requests of ordinary size succeed even when the
 * budget is used up. The rest is taken from a budget that all connections share. It is given back
 * when the request has ended, even if the connection closes earlier.
 *
 * <h2>Half-closed connections</h2>
 *
 * A client may close its output after its requests. It still gets all answers; then the connection
 * is closed. If a body is incomplete, or the answer has no end, the connection is closed
 * immediately.
 */
final class RequestFlow {
  /** The heap that a header takes in addition to its characters. */
  static final int HEADER_COST_BYTES = 128;

  /** The bytes of a head that the budget need not cover. */
  static final int FREE_HEAD_BYTES = 8 << 10;

  /** The cause of a refused head for which the budget has no room. */
  static final class NoRoomException extends DecoderException {
    private static final long serialVersionUID = 1L;

    NoRoomException() {
      super("the heads take too much memory");
    }
  }

  /** The budget is used in steps, because all event loops share it. */
  private static final int STEP_BYTES = 4 << 10;

  /** A decoder is replaced after a longer line, because its buffer never shrinks. */
  private static final int LONG_LINE_BYTES = 8 << 10;

  /** The name that Vert.x gives to the decoder of requests. */
  private static final String DECODER = "httpDecoder";

  private static final AttributeKey<RequestFlow> KEY =
      AttributeKey.valueOf(RequestFlow.class, "flow");

  private final Channel channel;
  private final Http1ServerConfig http;
  private final int headerLinesMax;
  private final ByteBudget budget;
  private final HeadDeadline deadline;
  private final Connections.Slot slot;
  private Decoder decoder;

  // The head that is arriving, or whose request has not ended.
  private int lines;
  private int costBytes;
  private int takenBytes;
  private int longestLine;
  private int partialBytes;
  private int headersBegin;
  private boolean inHeaders;

  private boolean decoded;
  private boolean begun;
  private boolean bodyOutstanding;
  private boolean bodyWanted;
  private boolean failed;
  private boolean held;
  private boolean inputEnded;
  private boolean closesWithInput;
  private boolean closed;

  private RequestFlow(
      Channel channel,
      Http1ServerConfig http,
      ListenerConfig config,
      ByteBudget budget,
      Connections.Slot slot) {
    this.channel = channel;
    this.http = http;
    this.headerLinesMax = config.headerLinesMax();
    this.budget = budget;
    this.deadline = new HeadDeadline(channel, config.headTimeMax());
    this.slot = slot;
    this.decoder = new Decoder();
  }

  /** Takes over a new connection. Must be called on its event loop, before any bytes are read. */
  static void install(
      ChannelPipeline pipeline,
      Http1ServerConfig http,
      ListenerConfig config,
      ByteBudget budget,
      Connections.Slot slot) {
    Channel channel = pipeline.channel();
    RequestFlow flow = new RequestFlow(channel, http, config, budget, slot);
    channel.attr(KEY).set(flow);
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    pipeline.replace(DECODER, DECODER, flow.decoder);
    flow.deadline.begin();
  }

  /** Returns the flow of a connection. */
  static RequestFlow of(HttpConnection connection) {
    return of(((HttpServerConnection) connection).channelHandlerContext().channel());
  }

  static RequestFlow of(Channel channel) {
    return Objects.requireNonNull(channel.attr(KEY).get());
  }

  /** Notes that somebody answers the decoded request. From now on, its head stays in memory. */
  void begin() {
    begun = true;
    slot.enter();
  }

  /** Lets the body of the request pass. */
  void wantBody() {
    bodyWanted = true;
    if (held) {
      channel.eventLoop().execute(this::proceed);
    }
  }

  /** Notes that the request which has begun needs its head no longer. */
  void ended() {
    begun = false;
    decoded = false;
    slot.leave();
    if (closed || !bodyOutstanding) {
      releaseHead();
    }
    if (closed) {
      return;
    }
    if (held || longestLine > LONG_LINE_BYTES) {
      channel.eventLoop().execute(this::proceed);
    } else if (inputEnded) {
      close();
    }
  }

  /**
   * Closes the connection when the client closes its output. Called for an answer without end: a
   * client that left looks the same as one that only has no more requests, and the difference would
   * show in a later failure to write.
   */
  void closeWithInput() {
    closesWithInput = true;
    if (inputEnded) {
      close();
    }
  }

  /** Closes the connection after everything that was written. */
  private void close() {
    ChannelFuture unused = channel.close();
  }

  private boolean mayDecode() {
    return bodyOutstanding ? bodyWanted : !decoded;
  }

  /** Continues with the bytes that waited. */
  private void proceed() {
    if (closed || !mayDecode()) {
      return;
    }
    renewDecoder();
    decoder.proceed(channel.pipeline().context(decoder));
  }

  /** Replaces the decoder after a long line, unless bytes of the next request are in it. */
  private void renewDecoder() {
    if (longestLine > LONG_LINE_BYTES && !bodyOutstanding && !failed && !decoder.hasBytes()) {
      longestLine = 0;
      decoder = new Decoder();
      channel.pipeline().replace(DECODER, DECODER, decoder);
    }
  }

  private void releaseHead() {
    budget.giveBack(takenBytes);
    takenBytes = 0;
    costBytes = 0;
    lines = 0;
  }

  /** Charges the head. Returns false if the budget has no room. */
  private boolean charge(int bytes) {
    costBytes += bytes;
    int missing = costBytes - FREE_HEAD_BYTES - takenBytes;
    if (missing <= 0) {
      return true;
    }
    int steps = (missing + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    if (!budget.tryTake(steps)) {
      return false;
    }
    takenBytes += steps;
    return true;
  }

  /**
   * Charges the lines that have arrived, before objects are made of them. Returns the reason if the
   * head must be refused.
   *
   * <p>Two kinds of lines are refused although Netty accepts them: a continuation of the previous
   * line, as RFC 9112, 5.2 demands, and a header without a name.
   */
  private @Nullable RuntimeException check(ByteBuf in) {
    int from = in.readerIndex();
    int to = in.writerIndex();
    int linesBefore = lines;
    int line = from;
    if (!inHeaders) {
      line = afterRequestLine(in, from, to);
      inHeaders = line <= to;
      headersBegin = line;
    }
    while (line < to) {
      byte first = in.getByte(line);
      if (first == HttpConstants.SP || first == HttpConstants.HT || first == HttpConstants.COLON) {
        return new IllegalArgumentException("a header line does not begin with a name");
      }
      int end = in.indexOf(line, to, HttpConstants.LF);
      if (end < 0) {
        line = to;
        break;
      }
      longestLine = Math.max(longestLine, end - line);
      boolean empty = end == line || (end == line + 1 && first == HttpConstants.CR);
      line = end + 1;
      if (empty) {
        break;
      }
      lines++;
    }
    int bytes = Math.min(line, to) - from - partialBytes;
    return refusal(bytes + (lines - linesBefore) * HEADER_COST_BYTES);
  }

  private @Nullable RuntimeException refusal(int cost) {
    if (lines > headerLinesMax) {
      return new TooLongHttpHeaderException("more than " + headerLinesMax + " header lines");
    }
    return charge(cost) ? null : new NoRoomException();
  }

  /** Returns the index after the request line; an index after {@code to} if it is incomplete. */
  private int afterRequestLine(ByteBuf in, int from, int to) {
    int begin = from;
    // Netty skips these characters too.
    while (begin < to && isControlOrSpace(in.getUnsignedByte(begin))) {
      begin++;
    }
    int end = in.indexOf(begin, to, HttpConstants.LF);
    longestLine = Math.max(longestLine, (end < 0 ? to : end) - begin);
    return end < 0 ? to + 1 : end + 1;
  }

  private static boolean isControlOrSpace(int c) {
    return Character.isISOControl(c) || Character.isWhitespace(c);
  }

  /**
   * Decodes requests as Vert.x does, but stops before a head while the previous request has not
   * ended, and refuses heads that are too costly or ambiguous.
   */
  private final class Decoder extends VertxHttpRequestDecoder {
    private @Nullable HttpMessage head;

    Decoder() {
      super(http);
    }

    boolean hasBytes() {
      return actualReadableBytes() > 0;
    }

    /** Like a handler's call by Netty, this is the root of a thread. */
    void proceed(ChannelHandlerContext context) {
      try {
        if (held) {
          held = false;
          channel.config().setAutoRead(true);
          channelRead(context, Unpooled.EMPTY_BUFFER);
          channelReadComplete(context);
        }
        if (inputEnded && !held) {
          endInput(context);
        }
      } catch (Exception e) {
        context.fireExceptionCaught(e);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
      super.channelRead(context, bytes);
      timeHead();
    }

    private void timeHead() {
      if (!decoded && !bodyOutstanding && !failed && (inHeaders || hasBytes())) {
        deadline.begin();
      } else {
        deadline.end();
      }
    }

    /** Unlike Netty, does not ask for more bytes while bytes wait. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
      if (held) {
        discardSomeReadBytes();
        context.fireChannelReadComplete();
      } else {
        super.channelReadComplete(context);
      }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      if (failed) {
        in.skipBytes(in.readableBytes());
      } else if (!mayDecode()) {
        hold();
      } else if (bodyOutstanding) {
        super.decode(context, in, out);
        noteEnd(out);
      } else {
        decodeHead(context, in, out);
      }
    }

    private void decodeHead(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      boolean lineDecoded = inHeaders;
      RuntimeException refusal = check(in);
      if (refusal == null) {
        super.decode(context, in, out);
        partialBytes = out.isEmpty() ? in.readableBytes() : 0;
      } else {
        if (!lineDecoded && inHeaders) {
          // The answer depends on the request line.
          super.decode(context, in.readSlice(headersBegin - in.readerIndex()), out);
        }
        in.skipBytes(in.readableBytes());
        if (out.isEmpty()) {
          out.add(refused(refusal));
        }
      }
      noteHead(out);
    }

    private HttpMessage refused(RuntimeException refusal) {
      HttpMessage message = head == null ? createInvalidMessage() : head;
      message.setDecoderResult(DecoderResult.failure(refusal));
      return message;
    }

    @Override
    protected HttpMessage createMessage(String[] requestLine) {
      head = super.createMessage(requestLine);
      return head;
    }

    private void noteHead(List<Object> out) {
      if (!out.isEmpty() && out.get(0) instanceof HttpMessage message) {
        head = null;
        inHeaders = false;
        partialBytes = 0;
        decoded = true;
        failed = message.decoderResult().isFailure();
        bodyOutstanding = !failed;
        bodyWanted = false;
        noteEnd(out);
      }
    }

    private void noteEnd(List<Object> out) {
      if (!out.isEmpty() && out.get(out.size() - 1) instanceof LastHttpContent) {
        bodyOutstanding = false;
        if (!decoded) {
          releaseHead();
        }
      }
    }

    private void hold() {
      held = true;
      // Vert.x may have switched it on again.
      channel.config().setAutoRead(false);
    }

    /** Bounds the headers after a chunked body; those of the head were charged before. */
    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
      if (bodyOutstanding) {
        lines++;
        RuntimeException refusal = refusal(HEADER_COST_BYTES + length);
        if (refusal != null) {
          throw refusal;
        }
      }
      return super.splitHeaderName(line, start, length);
    }

    /** Called at the end of a head. Refuses every coding that is not exactly {@code chunked}. */
    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
      String coding = message.headers().get(HttpHeaderNames.TRANSFER_ENCODING);
      if (coding != null
          && !(coding.equalsIgnoreCase("chunked")
              && message.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING).size() == 1)) {
        throw new IllegalArgumentException("the transfer coding is not chunked");
      }
      return super.isContentAlwaysEmpty(message);
    }

    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      if (!failed && !decoded) {
        super.decodeLast(context, in, out);
        noteHead(out);
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
      boolean ends =
          event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent;
      if (!ends) {
        super.userEventTriggered(context, event);
      } else if (!inputEnded) {
        inputEnded = true;
        if (!held) {
          endInput(context);
        }
      }
    }

    /** Handles the end of the client's output, when no bytes wait. */
    private void endInput(ChannelHandlerContext context) throws Exception {
      super.userEventTriggered(context, ChannelInputShutdownEvent.INSTANCE);
      if (bodyOutstanding || !decoded || closesWithInput) {
        close();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
      super.channelInactive(context);
      closed = true;
      deadline.end();
      if (!begun) {
        releaseHead();
      }
    }
  }
}
