/** Sample data for a proposal, and the queries that show what its accesses really read. */
@NullMarked
package io.lazuli.server.design.trial;

import org.jspecify.annotations.NullMarked;
