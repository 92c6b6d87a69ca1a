extension CompletionScript {
  /// What is added to bash's script, whose names it declares again.
  static func bash(_ verbs: [Verb], pairs: [String]) -> String {
    let usual = verbs.map { verb in
      #"""
          \#(verb.name)) [[ "${whole[2]}" = @(\#(verb.pattern)) ]] || usual=\#(verb.usual) ;;

      """#
    }
    return #"""

      # Takes the place of the function above. Values may hold labels of a stranger's recording, and 'compgen -W' would
      # run what they contain.
      __retake_add_completions() {
          local completion
          if [[ "${1}" != -W ]]; then
              compopt -o filenames 2> /dev/null
              while IFS='' read -r completion; do
                  COMPREPLY+=("${completion}")
              done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
              return
          fi
          while IFS='' read -r completion; do
              [[ -n "${completion}" ]] || continue
              printf -v completion %q "${completion}"
              # As they are typed: braces, which give them a meaning, stay quoted.
              completion="${completion//\\,/,}"
              [[ "${completion}" != "${cur}"* ]] || COMPREPLY+=("${completion}")
          done <<< "${2}"
      }

      # Joins the words that bash splits at '=' and ':', completes them, and leaves bash the end that it asked for.
      __retake_whole_words() {
          local line="${COMP_LINE:0:${COMP_POINT}}" gap word usual=''
          local -a whole=()
          local -i index
          for ((index = 0; index <= COMP_CWORD; index++)); do
              gap="${line%%[![:space:]]*}"
              line="${line#"${gap}"}"
              word="${COMP_WORDS[${index}]}"
              ((index < COMP_CWORD)) || word="${line}"
              line="${line#"${word}"}"
              if ((index > 0)) && [[ -z "${gap}" ]]; then whole[-1]+="${word}"; else whole+=("${word}"); fi
          done
          # --option=value
          [[ "${whole[-1]}" != --*=* ]] || whole=("${whole[@]::${#whole[@]} - 1}" "${whole[-1]%%=*}" "${whole[-1]#*=}")
          local -r typed="${whole[-1]%"${2}"}"
          # Completes behind 'help' what could stand in its place.
          [[ "${whole[1]} ${whole[2]}" != "sweep help" ]] || ((${#whole[@]} < 4)) || whole=("${whole[@]::2}" "${whole[@]:3}")
          [[ "${whole[1]}" != help ]] || ((${#whole[@]} < 3)) || whole=("${whole[0]}" "${whole[@]:2}")
          # The second word of --at WHEN name=value.
          if [[ "${whole[1]}" = @(\#(pairs.joined(separator: "|"))) ]] && ((${#whole[@]} > 4)) &&
              [[ "${whole[-2]}" = --at=* || "${whole[-3]}" = --at && "${whole[-2]}" != -* ]]; then
              whole=("${whole[@]::2}" --set "${whole[-1]}")
          fi
          case "${whole[1]}" in
      \#(usual.joined())    esac
          local -r may_be_path="${usual:+$((${#whole[@]} == 3))}"
          if [[ -n "${usual}" && ( ${#whole[@]} -gt 3 || "${whole[2]}" = -* ) ]]; then
              whole=("${whole[@]::2}" "${usual}" "${whole[@]:2}")
          fi
          local -a COMP_WORDS=("${whole[@]}")
          local COMP_LINE="${whole[*]}" cur="${whole[-1]}"
          local -i COMP_CWORD="$((${#whole[@]} - 1))" COMP_POINT="${#COMP_LINE}"
          _retake "${1}" "${cur}" "${whole[-2]}"
          [[ "${may_be_path}" != 1 ]] || __retake_add_completions -d
          COMPREPLY=("${COMPREPLY[@]#"${typed}"}")
          [[ "${COMPREPLY[*]}" != *[=:] ]] || compopt -o nospace 2> /dev/null
      }

      complete -F __retake_whole_words retake
      """#
  }
}
