package io.lazuli.server.design;

/** A pattern of the Table Design Guide, with the page of docs/patterns that describes it. */
public enum GuidePattern {
  INTRA_PARTITION_INDEX("intra-partition-index", "Intra-partition secondary index pattern"),
  INTER_PARTITION_INDEX("inter-partition-index", "Inter-partition secondary index pattern"),
  EVENTUAL_CONSISTENCY("outbox", "Eventually consistent transactions pattern"),
  INDEX_ENTITIES("indexlist", "Index entities pattern"),
  DENORMALIZATION("copies", "Denormalization pattern"),
  COMPOUND_KEY("key", "Compound key pattern"),
  LOG_TAIL("logtail", "Log tail pattern"),
  HIGH_VOLUME_DELETE("period", "High volume delete pattern"),
  DATA_SERIES("series", "Data series pattern"),
  WIDE_ENTITIES("wide", "Wide entities pattern"),
  LARGE_ENTITIES("large", "Large entities pattern"),
  LOG_DATA("log", "Log data anti-pattern"),
  ONE_TO_MANY("relation", "One-to-many relationships"),
  JOIN_IN_CLIENT("lookup", "Join in the client"),
  SPREAD_INSERTS("spread", "Prepend/append anti-pattern");

  private final String page;
  private final String section;

  GuidePattern(String page, String section) {
    this.page = page;
    this.section = section;
  }

  /** Returns the name of the page, without its ending. */
  public String page() {
    return page;
  }

  /** Returns the section of the guide. */
  public String section() {
    return section;
  }
}
