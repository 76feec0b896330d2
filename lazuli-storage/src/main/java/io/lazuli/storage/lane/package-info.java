/**
 * What every engine with a commit lane needs around it: its queue, its clock, its drops, its
 * threads.
 */
@NullMarked
package io.lazuli.storage.lane;

import org.jspecify.annotations.NullMarked;
