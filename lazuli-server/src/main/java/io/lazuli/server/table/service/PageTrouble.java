package io.lazuli.server.table.service;

import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.rehearsal.Fault;

/**
 * How a page of entities ends earlier than it has to.
 *
 * @param entitiesMax 0 for a page without entities
 * @param endsWithPartition true if it ends where the next partition begins, with a token that has
 *     no row
 */
record PageTrouble(int entitiesMax, boolean endsWithPartition) {
  /** A page as the caller wants it. */
  static PageTrouble none(int entitiesMax) {
    return new PageTrouble(entitiesMax, false);
  }

  static PageTrouble roll(Dice dice, int entitiesMax) {
    if (dice.falls(Fault.EMPTY_PAGES)) {
      return none(0);
    }
    int left = dice.falls(Fault.CUT_PAGES) ? dice.cut(entitiesMax) : entitiesMax;
    return new PageTrouble(left, dice.falls(Fault.PARTITION_TOKENS));
  }
}
