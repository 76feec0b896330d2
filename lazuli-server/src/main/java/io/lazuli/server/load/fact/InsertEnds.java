package io.lazuli.server.load.fact;

/**
 * Where inserts went, compared with the first and the last partition of the table.
 *
 * @param judged the sampled inserts that were compared
 * @param atLast those in or beyond the last partition
 * @param atFirst those in or before the first partition
 * @param moved how often the end to which most went has moved
 * @param hasMany whether the table has eight partitions or more
 */
public record InsertEnds(
    long judged, long atLast, long atFirst, int moved, boolean hasMany, String first, String last) {
  static final InsertEnds NONE = new InsertEnds(0, 0, 0, 0, false, "", "");

  InsertEnds plus(InsertEnds other) {
    if (judged == 0 || other.judged == 0) {
      return judged == 0 ? other : this;
    }
    return new InsertEnds(
        judged + other.judged,
        atLast + other.atLast,
        atFirst + other.atFirst,
        Math.max(moved, other.moved),
        hasMany || other.hasMany,
        first.compareTo(other.first) <= 0 ? first : other.first,
        last.compareTo(other.last) >= 0 ? last : other.last);
  }
}
