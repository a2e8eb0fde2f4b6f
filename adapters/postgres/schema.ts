import { LEDGER_TABLES } from './ledger-schema.ts'
import { OBJECT_TABLES } from './object-schema.ts'

/** The channel on which a change of revocations or leashes is announced. */
export const CHANNEL = 'narrowgate'

/**
 * What was done to the schema, version by version; a released entry never changes. All of it lies in the schema
 * `narrowgate`. Lists travel as JSON text, and times that gateways set as RFC 3339 text: the database compares none.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE SCHEMA IF NOT EXISTS narrowgate;
  CREATE TABLE narrowgate.migrations (version int PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now());

  CREATE TABLE narrowgate.uses (
    link    text COLLATE "C" PRIMARY KEY,
    used    int NOT NULL CHECK (used >= 0),
    expires bigint -- ms since the epoch; NULL: never
  ) WITH (fillfactor = 70);
  CREATE INDEX uses_expires ON narrowgate.uses (expires) WHERE expires IS NOT NULL;

  CREATE TABLE narrowgate.grants (
    id text COLLATE "C" PRIMARY KEY, lines json NOT NULL, minted text COLLATE "C" NOT NULL,
    minted_by text NOT NULL, task text
  );
  CREATE TABLE narrowgate.children (
    link text COLLATE "C" PRIMARY KEY, id text COLLATE "C" NOT NULL, links json NOT NULL, lines json NOT NULL,
    seen text COLLATE "C" NOT NULL
  );
  CREATE INDEX children_of ON narrowgate.children (id, seen);
  CREATE TABLE narrowgate.outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event json NOT NULL,
    taken timestamptz NOT NULL DEFAULT '-infinity'
  );

  -- One sequence for both kinds of change, so that a reader needs one cursor.
  CREATE SEQUENCE narrowgate.change;
  CREATE TABLE narrowgate.revocations (
    subject text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL UNIQUE, revoked text NOT NULL, revoked_by text NOT NULL
  );
  CREATE TABLE narrowgate.leashes (
    seq bigint PRIMARY KEY, id text COLLATE "C" NOT NULL, lines json NOT NULL, leashed text NOT NULL,
    leashed_by text NOT NULL
  );
  CREATE INDEX leashes_of ON narrowgate.leashes (id, seq);

  -- Takes at most \`times\` uses at every link, as many as there is room for at all of them, or none at any.
  -- The rows say how many were taken, and what is used up to then.
  CREATE FUNCTION narrowgate.reserve(wanted json, times int)
  RETURNS TABLE (taken int, at_link text, used_now int) LANGUAGE plpgsql SET search_path = '' AS $$
  DECLARE
    known int;
    room int;
    changed int;
  BEGIN
    SELECT count(u.link), min(w.most - coalesce(u.used, 0)) INTO known, room
      FROM json_to_recordset(wanted) AS w (link text, most int) LEFT JOIN narrowgate.uses u ON u.link = w.link;
    -- What is spent is told without a lock.
    IF room > 0 THEN
      IF known < json_array_length(wanted) THEN
        INSERT INTO narrowgate.uses (link, used, expires)
          SELECT w.link, 0, w.expires FROM json_to_recordset(wanted) AS w (link text, expires bigint)
          ORDER BY w.link COLLATE "C" ON CONFLICT (link) DO NOTHING;
      END IF;
      -- All gateways lock in one order, so that no two chains wait for each other.
      PERFORM FROM narrowgate.uses u
        WHERE u.link IN (SELECT w.link FROM json_to_recordset(wanted) AS w (link text))
        ORDER BY u.link FOR UPDATE;
      SELECT min(w.most - u.used) INTO room
        FROM json_to_recordset(wanted) AS w (link text, most int) JOIN narrowgate.uses u ON u.link = w.link;
      room := least(room, times);
    END IF;
    IF room > 0 THEN
      UPDATE narrowgate.uses u SET used = u.used + room
        FROM json_to_recordset(wanted) AS w (link text) WHERE u.link = w.link;
      GET DIAGNOSTICS changed = ROW_COUNT;
      IF changed <> json_array_length(wanted) THEN
        RAISE EXCEPTION 'a counter went away underway' USING ERRCODE = 'serialization_failure';
      END IF;
    END IF;
    RETURN QUERY SELECT greatest(room, 0), w.link, coalesce(u.used, 0)
      FROM json_to_recordset(wanted) AS w (link text) LEFT JOIN narrowgate.uses u ON u.link = w.link;
  END $$;

  CREATE FUNCTION narrowgate.give_back(links json) RETURNS void LANGUAGE plpgsql SET search_path = '' AS $$
  BEGIN
    PERFORM FROM narrowgate.uses u WHERE u.link IN (SELECT json_array_elements_text(links))
      ORDER BY u.link FOR UPDATE;
    UPDATE narrowgate.uses u SET used = u.used - 1
      WHERE u.used > 0 AND u.link IN (SELECT json_array_elements_text(links));
  END $$;

  -- Changes are committed one after the other: a reader that saw number n has seen all before it.
  CREATE FUNCTION narrowgate.next_change() RETURNS bigint LANGUAGE plpgsql SET search_path = '' AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock('narrowgate.change'::regclass::oid::bigint);
    PERFORM pg_notify('${CHANNEL}', '');
    RETURN nextval('narrowgate.change');
  END $$;

  CREATE FUNCTION narrowgate.revoke(who text, by_whom text, at_time text, event json)
  RETURNS boolean LANGUAGE plpgsql SET search_path = '' AS $$
  BEGIN
    INSERT INTO narrowgate.revocations (subject, seq, revoked, revoked_by)
      VALUES (who, narrowgate.next_change(), at_time, by_whom) ON CONFLICT (subject) DO NOTHING;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO narrowgate.outbox (event) VALUES (revoke.event);
    RETURN true;
  END $$;

  -- False where the leash would have more than \`most\` lines. They are counted once no other change can come between.
  CREATE FUNCTION narrowgate.leash(
    grant_id text, more json, most int, by_whom text, at_time text, event json
  ) RETURNS boolean LANGUAGE plpgsql SET search_path = '' AS $$
  DECLARE
    change bigint := narrowgate.next_change();
    lines_now int;
  BEGIN
    SELECT coalesce(sum(json_array_length(l.lines)), 0) INTO lines_now
      FROM narrowgate.leashes l WHERE l.id = grant_id;
    IF lines_now + json_array_length(more) > most THEN RETURN false; END IF;
    INSERT INTO narrowgate.leashes (seq, id, lines, leashed, leashed_by)
      VALUES (change, grant_id, more, at_time, by_whom);
    INSERT INTO narrowgate.outbox (event) VALUES (leash.event);
    RETURN true;
  END $$;
  `,
  LEDGER_TABLES,
  OBJECT_TABLES,
]
